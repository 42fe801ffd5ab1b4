@Service
public class Poison extends VoucherOrderBase {
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
                // pending(name): StreamOffset.create("stream.orders",
                //                                    ReadOffset.from("0"))
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
                        log.error("handling the pending list", e);
                        Thread.sleep(5000); // often 20 in the wild
                    }
                }
            }
        }
    }
}
