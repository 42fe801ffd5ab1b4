package luaunlock

import "testing"

func TestKnowsDELEX(t *testing.T) {
	for _, c := range []struct {
		server, version string
		want            bool
	}{
		{"redis", "8.4.0", true},
		{"redis", "8.6.1", true},
		{"redis", "9.0.0", true},
		{"redis", "10.0.0", true},
		{"redis", "8.2.3", false},
		{"redis", "7.4.7", false},
		{"redis", "6.0.16", false},
		{"valkey", "9.0.1", false},
		{"valkey", "8.1.4", false},
		{"redis", "", false},
		{"redis", "unstable", false},
	} {
		hello := map[string]any{"server": c.server, "version": c.version}
		if got := knowsDELEX(hello); got != c.want {
			t.Errorf("%s %s: %v", c.server, c.version, got)
		}
	}
	if knowsDELEX(nil) {
		t.Error("nobody knows DELEX")
	}
}
