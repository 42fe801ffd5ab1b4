@Service
public class Guarded extends ServiceImpl<VoucherOrderMapper, VoucherOrder> {
    @Resource
    private ISeckillVoucherService seckillVoucherService;

    @Transactional
    public Result seckillVoucher(Long voucherId) {
        boolean success = seckillVoucherService.update()
                .setSql("stock = stock - 1")
                .eq("voucher_id", voucherId)
                .gt("stock", 0)
                .update();
        if (!success) {
            // A RuntimeException: Spring rolls back.
            throw new SoldOutException();
        }

        Long userId = UserHolder.getUser().getId();
        save(new VoucherOrder().setUserId(userId).setVoucherId(voucherId));
        return Result.ok(); // the proxy commits after this
    }
}
