@Service
@RequiredArgsConstructor
public class ByScript {
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
    private static final DefaultRedisScript<Long> UNLOCK_SCRIPT;
    static {
        UNLOCK_SCRIPT = new DefaultRedisScript<>();
        UNLOCK_SCRIPT.setLocation(new ClassPathResource("unlock.lua"));
        UNLOCK_SCRIPT.setResultType(Long.class);
    }
    private final String name;
    private final StringRedisTemplate stringRedisTemplate;
    private final String id = UUID.randomUUID().toString();

    public boolean tryLock(long timeoutSec) {
        return Boolean.TRUE.equals(stringRedisTemplate.opsForValue()
                .setIfAbsent("lock:" + name, id, timeoutSec, SECONDS));
    }

    public void unlock() {
        stringRedisTemplate.execute(UNLOCK_SCRIPT,
                Collections.singletonList("lock:" + name), id);
    }
}
