@Service
public class RenewalOutlives {
    @Resource
    private StringRedisTemplate redis;
    private final ScheduledExecutorService timer = newScheduledThreadPool(1);

    public Result seckillVoucher(Long voucherId) {
        String key = "lock:order:" + UserHolder.getUser().getId();
        String token = UUID.randomUUID().toString();
        lock(key, token, Duration.ofSeconds(30)); // setIfAbsent, every 10 s
        Future<?> renewal = timer.scheduleAtFixedRate(
                () -> redis.opsForValue().set(key, token, 30, TimeUnit.SECONDS),
                10, 10, TimeUnit.SECONDS);
        try {
            return createVoucherOrder(voucherId);
        } finally {
            unlock(key, token); // unlock.lua
            renewal.cancel(false); // not one that is under way
        }
    }
}
