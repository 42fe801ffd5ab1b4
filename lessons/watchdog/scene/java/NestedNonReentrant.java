@Service
public class NestedNonReentrant {
    @Resource
    private StringRedisTemplate redis;
    @Resource
    private LeaseKeeper keeper; // a timer: renew.lua for each lock it is given

    public Result seckillVoucher(Long voucherId) {
        Long userId = UserHolder.getUser().getId();
        ILock lock = new SimpleRedisLock("order:" + userId, redis);
        lock.lock(30); // SET NX with a token of its own, every 10 s
        // The keeper sleeps for 10 s,
        // then compares the token and sets 30 s again; and so on.
        keeper.renew(lock);
        try {
            return createVoucherOrder(userId, voucherId);
        } finally {
            lock.unlock(); // never reached
        }
    }

    Result createVoucherOrder(Long userId, Long voucherId) {
        ILock lock = new SimpleRedisLock("order:" + userId, redis);
        lock.lock(30); // another object, another token: waits for its caller
        try {
            return save(voucherId);
        } finally {
            lock.unlock();
        }
    }
}
