package livetest

import (
	"testing"

	"github.com/redis/go-redis/v9"
)

// TestStartCluster: one node, all slots, and a slot is a border.
func TestStartCluster(t *testing.T) {
	s := StartCluster(t)
	for name, rdb := range map[string]redis.UniversalClient{"client": s.Client(t), "cluster client": s.ClusterClient(t)} {
		for _, key := range []string{"a", "b", "c"} {
			if err := rdb.Set(ctx, key, name, 0).Err(); err != nil {
				t.Errorf("%s: SET %s: %v", name, key, err)
			}
		}
		if err := rdb.Do(ctx, "DEL", "a", "b").Err(); !redis.HasErrorPrefix(err, "CROSSSLOT") {
			t.Errorf("%s: DEL of two slots: %v", name, err)
		}
		if err := rdb.Do(ctx, "MSET", "{a}1", 1, "{a}2", 2).Err(); err != nil {
			t.Errorf("%s: MSET with a tag: %v", name, err)
		}
	}
}
