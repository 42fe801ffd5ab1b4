@Service
public class Reentrant {
    @Resource
    private RedissonClient redisson;

    public Result seckillVoucher(Long voucherId) {
        Long userId = UserHolder.getUser().getId();
        RLock lock = redisson.getLock("lock:order:" + userId);
        lock.lock(); // hash: {<client id>:<thread id> = 1}
        // From now on a timer thread of Redisson renews all holds.
        try {
            deductStock(userId, voucherId);
            return Result.ok(voucherService.getById(voucherId));
        } finally {
            lock.unlock(); // 0: the key is deleted
        }
    }

    // Called from elsewhere too, so it locks by itself.
    void deductStock(Long userId, Long voucherId) {
        RLock lock = redisson.getLock("lock:order:" + userId);
        lock.lock(); // the same thread: the hash says 2
        try {
            callPaymentProvider(voucherId);
        } finally {
            lock.unlock(); // 1 is left
        }
    }
}
