@Service
public class Truncated {
    @Resource
    private RedissonClient redisson;

    public Result seckillVoucher(Long voucherId) {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        lock.lock(); // 30 s, and a watchdog
        // From now on a timer thread of Redisson renews, every 10 s.
        try {
            deductStock(userId, voucherId);
            return Result.ok(voucherService.getById(voucherId));
        } finally {
            lock.unlock(); // the last hold
        }
    }

    void deductStock(Long userId, Long voucherId) {
        RLock lock = redisson.getLock("lock:order:" + userId);
        lock.lock(5, TimeUnit.SECONDS); // the same key: pexpire to 5 s
        try {
            callPaymentProvider(voucherId); // 8 s
        } finally {
            lock.unlock(); // the inner hold
        }
    }
}
