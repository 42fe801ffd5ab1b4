@Service
public class HalfDoneScript extends VoucherOrderBase {
    // keys(): stock, users, stream; ARGV: userId, voucherId, orderId
    private static final DefaultRedisScript<Long> SECKILL_SCRIPT = script("""
        if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
        if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end
        redis.call('DECR', KEYS[1])
        redis.call('SADD', KEYS[2], ARGV[1])
        redis.call('XADD', KEYS[3], '*',
            'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3])
        return 0""");

    public Result seckillVoucher(Long voucherId, Long orderId) {
        String userId = UserHolder.getUser().getId().toString();
        Long r = stringRedisTemplate.execute(SECKILL_SCRIPT, keys(voucherId),
                userId, voucherId.toString()); // and orderId?
        return r == 0 ? Result.ok(orderId) : refusal(r);
    }

    private class VoucherOrderHandler extends OrderReader {
        @Override
        public void run() {
            while (true) {
                for (var record : readOrClaim(name)) {
                    proxy.createVoucherOrder(toOrder(record));
                    acknowledge(record);
                }
            }
        }
    }
}
