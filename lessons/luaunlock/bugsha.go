package luaunlock

import "context"

// BuyBySHA spares the network the text of the script: 40 characters do.
func (s *Shop) BuyBySHA(ctx context.Context, user, voucher int64) error {
	return s.locked(ctx, user, voucher, s.unlockBySHA)
}

func (s *Shop) unlockBySHA(ctx context.Context, key, token string) error {
	return s.Redis.EvalSha(ctx, unlockSHA, []string{key}, token).Err()
}

// BuyAfterLoad is BuyBySHA, but loads the script before each order.
func (s *Shop) BuyAfterLoad(ctx context.Context, user, voucher int64) error {
	if err := s.Redis.ScriptLoad(ctx, unlockText).Err(); err != nil {
		return err
	}
	return s.BuyBySHA(ctx, user, voucher)
}

// BuyByText is BuyBySHA, but sends the script itself.
func (s *Shop) BuyByText(ctx context.Context, user, voucher int64) error {
	return s.locked(ctx, user, voucher, s.unlockByText)
}

func (s *Shop) unlockByText(ctx context.Context, key, token string) error {
	return s.Redis.Eval(ctx, unlockText, []string{key}, token).Err()
}

// FlushScripts empties the server's cache of scripts, as a restart does.
func (s *Shop) FlushScripts(ctx context.Context) error {
	return s.Redis.ScriptFlush(ctx).Err()
}
