@Service
public class FixedLease {
    @Resource
    private RedissonClient redisson;

    public Result seckillVoucher(Long voucherId) {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        // The same with a limit for the wait: tryLock(60, 5, SECONDS),
        // which is tryLock(waitTime, leaseTime, unit).
        lock.lock(5, TimeUnit.SECONDS);
        try {
            return createVoucherOrder(voucherId); // calls the payment provider
        } finally {
            // IllegalMonitorStateException if the lease has run out.
            lock.unlock();
        }
    }
}
