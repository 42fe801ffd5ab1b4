@Service
public class HoldAndCancel {
    @Resource
    private RedissonClient redisson;
    private final ScheduledExecutorService timer = newScheduledThreadPool(1);
    private final ExecutorService workers = newCachedThreadPool();

    public Result seckillVoucher(Long voucherId) throws Exception {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        lock.lock(30, TimeUnit.SECONDS); // a lease: Redisson does not renew it
        AtomicInteger renewals = new AtomicInteger();
        Future<Result> work = workers.submit(
                () -> createVoucherOrder(voucherId));
        Future<?> watchdog = timer.scheduleAtFixedRate(() -> {
            int n = renewals.incrementAndGet();
            if (n > 3 || !renew(lock) || n == 3) { // renew: a script
                work.cancel(true); // interrupts the worker
            }
        }, 10, 10, TimeUnit.SECONDS);
        try {
            return work.get();
        } finally {
            lock.unlock();
            watchdog.cancel(false);
        }
    }
}
