@Service
public class Renewed {
    @Resource
    private RedissonClient redisson;

    public Result seckillVoucher(Long voucherId) {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        // No lease named: Config.lockWatchdogTimeout, 30 s, and from then on,
        lock.lock();
        // on a timer thread of Redisson, every lockWatchdogTimeout / 3,
        // pexpire to 30 s again, if this thread still holds the lock.
        try {
            // Redisson does not stop this if the lock is lost.
            return createVoucherOrder(voucherId);
        } finally {
            lock.unlock();
        }
    }
}
