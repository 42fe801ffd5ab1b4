@Service
@RequiredArgsConstructor
public class GetThenDel {
    private final StringRedisTemplate stringRedisTemplate;
    private final ISeckillVoucherService seckillVoucherService;

    public Result seckillVoucher(Long voucherId) {
        String name = "order:" + UserHolder.getUser().getId();
        ILock lock = new SimpleRedisLock(name, stringRedisTemplate);
        if (!lock.tryLock(5)) return Result.fail("an order is under way");
        try {
            return Result.ok(seckillVoucherService.getById(voucherId));
        } finally {
            lock.unlock();
        }
    }
}

@RequiredArgsConstructor
class SimpleRedisLock implements ILock {
    private static final String ID_PREFIX = UUID.randomUUID() + "-";
    private final String name;
    private final StringRedisTemplate stringRedisTemplate;

    public boolean tryLock(long timeoutSec) {
        String threadId = ID_PREFIX + Thread.currentThread().getId();
        return Boolean.TRUE.equals(stringRedisTemplate.opsForValue()
                .setIfAbsent("lock:" + name, threadId, timeoutSec, SECONDS));
    }

    public void unlock() {
        String threadId = ID_PREFIX + Thread.currentThread().getId();
        String id = stringRedisTemplate.opsForValue().get("lock:" + name);
        if (threadId.equals(id)) {
            stringRedisTemplate.delete("lock:" + name);
        }
    }
}
