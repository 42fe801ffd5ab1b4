@Service
public class UniqueIndex extends ServiceImpl<VoucherOrderMapper, VoucherOrder> {
    @Resource
    private ISeckillVoucherService seckillVoucherService;

    @Transactional(rollbackFor = Exception.class)
    public Result seckillVoucher(Long voucherId) {
        boolean success = seckillVoucherService.update()
                .setSql("stock = stock - 1")
                .eq("voucher_id", voucherId)
                .gt("stock", 0)
                .update();
        if (!success) {
            throw new SoldOutException();
        }

        Long userId = UserHolder.getUser().getId();
        // UNIQUE (user_id, voucher_id): a second order is a
        // DuplicateKeyException. Spring rolls back, an exception handler
        // answers "only one per person".
        save(new VoucherOrder().setUserId(userId).setVoucherId(voucherId));
        return Result.ok(); // the proxy commits after this
    }
}
