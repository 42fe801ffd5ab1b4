@Service
public class Pipeline extends VoucherOrderBase {
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
                List<MapRecord<String, Object, Object>> list =
                    stringRedisTemplate.opsForStream().read(
                        Consumer.from("g1", name),
                        StreamReadOptions.empty().count(1)
                            .block(Duration.ofSeconds(30)),
                        StreamOffset.create("stream.orders",
                            ReadOffset.lastConsumed()));
                if (list == null || list.isEmpty()) { // nothing for 30 s
                    list = claim(name); // pending() and claim() in Spring
                }
                for (MapRecord<String, Object, Object> record : list) {
                    try {
                        proxy.createVoucherOrder(toOrder(record));
                        acknowledge(record); // warns unless it answers 1
                    } catch (Exception e) {
                        log.error("not acknowledged: it is claimed again", e);
                    }
                }
            }
        }
    }
}
