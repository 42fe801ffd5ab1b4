@Service
public class MaximumHold {
    @Resource
    private RedissonClient redisson;
    private final ScheduledExecutorService timer = newScheduledThreadPool(1);

    public Result seckillVoucher(Long voucherId) {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        lock.lock(30, TimeUnit.SECONDS); // a lease: Redisson does not renew it
        AtomicInteger renewals = new AtomicInteger();
        Future<?> watchdog = timer.scheduleAtFixedRate(() -> {
            if (renewals.incrementAndGet() <= 3) {
                renew(lock); // hexists and pexpire in one script
            }
        }, 10, 10, TimeUnit.SECONDS);
        try {
            return createVoucherOrder(voucherId);
        } finally {
            lock.unlock();
            watchdog.cancel(false);
        }
    }
}
