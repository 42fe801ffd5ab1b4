@Service
public class ExplicitLease {
    @Resource
    private RedissonClient redisson;

    public Result seckillVoucher(Long voucherId, long leaseTime) {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        // 5 s "in case this node dies; the watchdog will renew it". It will
        // not. With leaseTime -1, and only then, there is one:
        lock.lock(leaseTime, TimeUnit.SECONDS);
        // on a timer thread of Redisson, every lockWatchdogTimeout / 3,
        // pexpire to 30 s again, if this thread still holds the lock.
        try {
            return createVoucherOrder(voucherId);
        } finally {
            lock.unlock();
        }
    }
}
