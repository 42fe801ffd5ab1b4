@Service
public class ImmediateTx extends ServiceImpl<VoucherOrderMapper, VoucherOrder> {
    @Resource
    private ISeckillVoucherService seckillVoucherService;

    @Transactional
    public Result seckillVoucher(Long voucherId) {
        // MySQL locks this row here; SQLite locks the database at BEGIN.
        SeckillVoucher voucher = seckillVoucherService.query()
                .eq("voucher_id", voucherId)
                .last("FOR UPDATE")
                .one();
        if (voucher.getStock() < 1) {
            // A RuntimeException: Spring rolls back.
            throw new SoldOutException();
        }

        voucher.setStock(voucher.getStock() - 1);
        seckillVoucherService.updateById(voucher);

        Long userId = UserHolder.getUser().getId();
        save(new VoucherOrder().setUserId(userId).setVoucherId(voucherId));
        return Result.ok(); // the proxy commits after this
    }
}
