@Service
@RequiredArgsConstructor
class VoucherOrderServiceImpl implements IVoucherOrderService {
    private static final DefaultRedisScript<Long> LIMITER_SCRIPT;
    static {
        LIMITER_SCRIPT = new DefaultRedisScript<>();
        LIMITER_SCRIPT.setLocation(new ClassPathResource("limiter.lua"));
        LIMITER_SCRIPT.setResultType(Long.class);
    }
    private final StringRedisTemplate stringRedisTemplate;

    public Result order(Long voucherId, long waitMs)
            throws InterruptedException {
        for (long left = waitMs; !permitted(); left -= RETRY_MS) {
            if (left <= 0) {
                return Result.fail("too many orders at once");
            }
            Thread.sleep(Math.min(left, RETRY_MS));
        }
        return proxy().createVoucherOrder(voucherId);
    }

    private boolean permitted() {
        String key = "limit:order:" + UserHolder.getUser().getId();
        Long answer = stringRedisTemplate.execute(LIMITER_SCRIPT,
                List.of(key), LIMIT, WINDOW_MS);
        return answer != null && answer == 1;
    }
}
