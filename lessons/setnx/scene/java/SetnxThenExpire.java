@RequiredArgsConstructor
class SimpleRedisLock implements ILock {
    private final String key;
    private final StringRedisTemplate stringRedisTemplate;

    public boolean tryLock(long waitMs) throws InterruptedException {
        for (long left = waitMs; ; left -= RETRY_MS) {
            Boolean ok = stringRedisTemplate.opsForValue()
                    .setIfAbsent(key, "1"); // SETNX
            if (Boolean.TRUE.equals(ok)) {
                stringRedisTemplate.expire(key, 30, TimeUnit.SECONDS);
                return true;
            }
            if (left <= 0) {
                return false;
            }
            Thread.sleep(Math.min(left, RETRY_MS));
        }
    }

    public void unlock() {
        stringRedisTemplate.delete(key); // DEL
    }
}

@Service
class VoucherOrderServiceImpl implements IVoucherOrderService {
    public Result order(Long voucherId, ILock lock, long waitMs)
            throws InterruptedException {
        if (!lock.tryLock(waitMs)) {
            return Result.fail("an order is under way");
        }
        try {
            return proxy().createVoucherOrder(voucherId);
        } finally {
            lock.unlock();
        }
    }
}
