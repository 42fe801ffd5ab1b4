@Service
public class MemoryQueue extends VoucherOrderBase {
    private final BlockingQueue<VoucherOrder> orderTasks =
            new ArrayBlockingQueue<>(1024 * 1024);

    // orderId: redisIdWorker.nextId("order"), drawn with the order page
    public Result seckillVoucher(Long voucherId, Long orderId) {
        Long userId = UserHolder.getUser().getId();
        Long r = stringRedisTemplate.execute(SECKILL_SCRIPT, keys(voucherId),
                userId.toString());
        if (r != 0) {
            return refusal(r);
        }
        orderTasks.add(new VoucherOrder().setId(orderId)
                .setUserId(userId).setVoucherId(voucherId));
        return Result.ok(orderId);
    }

    private class VoucherOrderHandler implements Runnable {
        @Override
        public void run() {
            while (true) {
                try {
                    VoucherOrder order = orderTasks.take();
                    proxy.createVoucherOrder(order);
                } catch (Exception e) {
                    log.error("an order is lost", e);
                }
            }
        }
    }
}
