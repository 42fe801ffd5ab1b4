@Service
public class AckBeforeCommit extends VoucherOrderBase {
    // orderId: redisIdWorker.nextId("order"), drawn with the order page
    public Result seckillVoucher(Long voucherId, Long orderId) {
        String userId = UserHolder.getUser().getId().toString();
        Long r = stringRedisTemplate.execute(SECKILL_SCRIPT, keys(voucherId),
                userId, voucherId.toString(), orderId.toString());
        return r == 0 ? Result.ok(orderId) : refusal(r);
    }

    private class VoucherOrderHandler implements Runnable {
        private String name; // "c1"

        @Override
        public void run() {
            while (true) {
                // StreamReadOptions: count 1, block 30 s; lastConsumed
                List<MapRecord<String, Object, Object>> list = read(name);
                if (list == null || list.isEmpty()) {
                    list = claim(name); // pending() and claim() in Spring
                }
                for (MapRecord<String, Object, Object> record : list) {
                    stringRedisTemplate.opsForStream().acknowledge(
                        "stream.orders", "g1", record.getId());
                    try {
                        proxy.createVoucherOrder(toOrder(record));
                    } catch (Exception e) {
                        log.error("too late: it is acknowledged", e);
                    }
                }
            }
        }
    }
}
