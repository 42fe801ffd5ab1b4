@Service
public class CasStock extends ServiceImpl<VoucherOrderMapper, VoucherOrder> {
    @Resource
    private ISeckillVoucherService seckillVoucherService;

    public Result seckillVoucher(Long voucherId) {
        SeckillVoucher voucher = seckillVoucherService.getById(voucherId);
        if (voucher.getStock() < 1) {
            return Result.fail("sold out");
        }

        boolean success = seckillVoucherService.update()
                .setSql("stock = stock - 1")
                .eq("voucher_id", voucherId)
                .eq("stock", voucher.getStock())
                .update();
        if (!success) {
            return Result.fail("somebody else was faster");
        }

        Long userId = UserHolder.getUser().getId();
        save(new VoucherOrder().setUserId(userId).setVoucherId(voucherId));
        return Result.ok();
    }
}
