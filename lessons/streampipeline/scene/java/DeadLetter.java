@Service
public class DeadLetter extends VoucherOrderBase {
    // orderId: redisIdWorker.nextId("order"), drawn with the order page
    public Result seckillVoucher(Long voucherId, Long orderId) {
        String userId = UserHolder.getUser().getId().toString();
        Long r = stringRedisTemplate.execute(SECKILL_SCRIPT, keys(voucherId),
                userId, voucherId.toString(), orderId.toString());
        return r == 0 ? Result.ok(orderId) : refusal(r);
    }

    private class VoucherOrderHandler extends OrderReader {
        private void handlePendingList() throws InterruptedException {
            while (true) {
                List<MapRecord<String, Object, Object>> list = pending(name);
                if (list == null || list.isEmpty()) {
                    list = read(name); // lastConsumed, block 30 s
                }
                if (list == null || list.isEmpty()) {
                    list = claim(name);
                }
                for (MapRecord<String, Object, Object> record : list) {
                    try {
                        proxy.createVoucherOrder(toOrder(record));
                        acknowledge(record);
                    } catch (Exception e) {
                        // DEAD_LETTER_SCRIPT: delivered more than 3 times?
                        // Then move it, return unit and mark, acknowledge.
                        if (!bury(record)) {
                            Thread.sleep(5000);
                        }
                    }
                }
            }
        }
    }
}
