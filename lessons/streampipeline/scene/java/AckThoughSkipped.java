@Service
public class AckThoughSkipped extends VoucherOrderBase {
    // orderId: redisIdWorker.nextId("order"), drawn with the order page
    public Result seckillVoucher(Long voucherId, Long orderId) {
        String userId = UserHolder.getUser().getId().toString();
        Long r = stringRedisTemplate.execute(SECKILL_SCRIPT, keys(voucherId),
                userId, voucherId.toString(), orderId.toString());
        return r == 0 ? Result.ok(orderId) : refusal(r);
    }

    private class VoucherOrderHandler extends OrderReader {
        @Override
        public void run() {
            while (true) {
                for (var record : readOrClaim(name)) {
                    handleVoucherOrder(toOrder(record));
                    acknowledge(record);
                }
            }
        }
    }

    private void handleVoucherOrder(VoucherOrder order) {
        if (!tryLock(order.getUserId())) { // SET lock:order:7 ... NX PX 30000
            log.error("this user is being served already");
            return;
        }
        try {
            proxy.createVoucherOrder(order);
        } finally {
            unlock(order.getUserId());
        }
    }

    // statement(userId), another job: the same lock around orderCount(userId)
}
