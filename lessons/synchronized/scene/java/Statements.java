@Service
@RequiredArgsConstructor
public class Statements {
    private final JdbcTemplate jdbc;

    @Transactional(rollbackFor = Exception.class)
    public Result seckillVoucher(Long voucherId, Long userId) {
        Integer orders = jdbc.queryForObject(
                "SELECT COUNT(*) FROM orders WHERE user_id = ?"
                + " AND voucher_id = ?", Integer.class, userId, voucherId);
        if (orders > 0) throw new DuplicateOrderException();
        int taken = jdbc.update("UPDATE voucher SET stock = stock - 1"
                + " WHERE id = ? AND stock > 0", voucherId);
        if (taken == 0) throw new SoldOutException();
        jdbc.update("INSERT INTO orders (user_id, voucher_id)"
                + " VALUES (?, ?)", userId, voucherId);
        return Result.ok();
    }
}
