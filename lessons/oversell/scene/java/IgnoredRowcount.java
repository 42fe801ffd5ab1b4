@Service
public class IgnoredRowcount
        extends ServiceImpl<VoucherOrderMapper, VoucherOrder> {
    @Resource
    private ISeckillVoucherService seckillVoucherService;

    public Result seckillVoucher(Long voucherId) {
        seckillVoucherService.update()
                .setSql("stock = stock - 1")
                .eq("voucher_id", voucherId)
                .gt("stock", 0)
                .update(); // answers true or false

        Long userId = UserHolder.getUser().getId();
        save(new VoucherOrder().setUserId(userId).setVoucherId(voucherId));
        return Result.ok();
    }
}
