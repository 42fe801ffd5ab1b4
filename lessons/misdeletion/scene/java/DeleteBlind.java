@Service
@RequiredArgsConstructor
public class DeleteBlind {
    private final StringRedisTemplate stringRedisTemplate;
    private final ISeckillVoucherService seckillVoucherService;

    public Result seckillVoucher(Long voucherId) {
        String name = "order:" + UserHolder.getUser().getId();
        ILock lock = new SimpleRedisLock(name, stringRedisTemplate);
        if (!lock.tryLock(5)) {
            return Result.fail("an order is under way");
        }
        try {
            // the slow part of an order
            return Result.ok(seckillVoucherService.getById(voucherId));
        } finally {
            lock.unlock();
        }
    }
}

@RequiredArgsConstructor
class SimpleRedisLock implements ILock {
    private final String name;
    private final StringRedisTemplate stringRedisTemplate;

    public boolean tryLock(long timeoutSec) {
        return Boolean.TRUE.equals(stringRedisTemplate.opsForValue()
                .setIfAbsent("lock:" + name, "1", timeoutSec, SECONDS));
    }

    public void unlock() {
        stringRedisTemplate.delete("lock:" + name);
    }
}
