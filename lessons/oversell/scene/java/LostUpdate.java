@Service
public class LostUpdate extends ServiceImpl<VoucherOrderMapper, VoucherOrder> {
    @Resource
    private ISeckillVoucherService seckillVoucherService;

    public Result seckillVoucher(Long voucherId) {
        SeckillVoucher voucher = seckillVoucherService.getById(voucherId);
        if (voucher.getStock() < 1) {
            return Result.fail("sold out");
        }

        voucher.setStock(voucher.getStock() - 1);
        seckillVoucherService.updateById(voucher);

        Long userId = UserHolder.getUser().getId();
        save(new VoucherOrder().setUserId(userId).setVoucherId(voucherId));
        return Result.ok();
    }
}
