package explore_test

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// The five ways to sell out of Redis. The order goes into the database.

// redisSet reads the stock and writes back what it has computed.
func redisSet(s *shop, ctx context.Context, buyer int) error {
	left, err := s.rdb.Get(ctx, stockKey).Int()
	if err != nil {
		return err
	}
	if left <= 0 {
		return errSoldOut
	}
	if err := s.rdb.Set(ctx, stockKey, left-1, 0).Err(); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

// redisDecr reads the stock, then takes a unit blindly.
func redisDecr(s *shop, ctx context.Context, buyer int) error {
	left, err := s.rdb.Get(ctx, stockKey).Int()
	if err != nil {
		return err
	}
	if left <= 0 {
		return errSoldOut
	}
	if err := s.rdb.Decr(ctx, stockKey).Err(); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

// redisScript reads and takes in one script.
func redisScript(s *shop, ctx context.Context, buyer int) error {
	sold, err := s.sell.EvalSha(ctx, s.rdb, []string{stockKey}).Int()
	if err != nil {
		return err
	}
	if sold == 0 {
		return errSoldOut
	}
	return s.order(ctx, buyer)
}

// redisDecrCheck takes a unit and gives it back if there was none.
func redisDecrCheck(s *shop, ctx context.Context, buyer int) error {
	left, err := s.rdb.Decr(ctx, stockKey).Result()
	if err != nil {
		return err
	}
	if left < 0 {
		if err := s.rdb.Incr(ctx, stockKey).Err(); err != nil {
			return err
		}
		return errSoldOut
	}
	return s.order(ctx, buyer)
}

// redisCAS takes a unit unless the stock has changed since it was read.
func redisCAS(s *shop, ctx context.Context, buyer int) error {
	err := s.rdb.Watch(ctx, func(tx *redis.Tx) error {
		left, err := tx.Get(ctx, stockKey).Int()
		if err != nil {
			return err
		}
		if left <= 0 {
			return errSoldOut
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Set(ctx, stockKey, left-1, 0)
			return nil
		})
		return err
	}, stockKey)
	if errors.Is(err, redis.TxFailedErr) {
		return errConflict
	}
	if err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

// watchOnly watches and reads, and then takes a unit outside any transaction.
func watchOnly(s *shop, ctx context.Context, buyer int) error {
	err := s.rdb.Watch(ctx, func(tx *redis.Tx) error {
		left, err := tx.Get(ctx, stockKey).Int()
		if err == nil && left <= 0 {
			return errSoldOut
		}
		return err
	}, stockKey)
	if err != nil {
		return err
	}
	if err := s.rdb.Decr(ctx, stockKey).Err(); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

// locked is the sale under a lock in Redis that is released by DEL.
func locked(s *shop, ctx context.Context, buyer int) error {
	const key = "lock:order:7"
	ok, err := s.rdb.SetNX(ctx, key, buyer, 1500*time.Millisecond).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errConflict
	}
	defer func() { s.rdb.Del(ctx, key) }()
	return s.rdb.Get(ctx, stockKey).Err()
}
