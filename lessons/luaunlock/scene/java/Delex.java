@Service
@RequiredArgsConstructor
public class Delex {
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
    private final String id = ID_PREFIX + Thread.currentThread().getId();

    public boolean tryLock(long timeoutSec) {
        return Boolean.TRUE.equals(stringRedisTemplate.opsForValue()
                .setIfAbsent("lock:" + name, id, timeoutSec, SECONDS));
    }

    // Redis 8.4 and later; UNLOCK_SCRIPT on older servers
    public void unlock() {
        stringRedisTemplate.execute((RedisConnection connection) ->
                connection.execute("DELEX", ("lock:" + name).getBytes(),
                        "IFEQ".getBytes(), id.getBytes()));
    }
}
