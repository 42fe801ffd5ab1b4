@Service
public class TokenRenewed {
    @Resource
    private StringRedisTemplate redis;
    private final ScheduledExecutorService timer = newScheduledThreadPool(1);

    public Result seckillVoucher(Long voucherId) {
        String key = "lock:order:" + UserHolder.getUser().getId();
        String token = UUID.randomUUID().toString();
        lock(key, token, Duration.ofSeconds(30)); // setIfAbsent, every 10 s
        Thread worker = Thread.currentThread();
        Future<?> renewal = timer.scheduleAtFixedRate(() -> {
            Long r = redis.execute(RENEW_SCRIPT, List.of(key), token, "30000");
            if (r != 1) {
                worker.interrupt(); // expired, or somebody else's by now
            }
        }, 10, 10, TimeUnit.SECONDS);
        try {
            return createVoucherOrder(voucherId);
        } finally {
            unlock(key, token); // unlock.lua
            renewal.cancel(false); // not one that is under way
        }
    }
}
