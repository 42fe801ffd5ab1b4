package live

import (
	"strings"
	"testing"
)

func none(string) string { return "" }

// TestParse: what a bad flag says is one sentence, and the password is not in it.
func TestParse(t *testing.T) {
	const secret = "geheim"
	for name, x := range map[string]struct {
		f    Flags
		want string // of the name, or of the error with "error: " before it
	}{
		"plain":           {Flags{URL: "redis://h:1/2"}, "redis://h:1/2"},
		"password":        {Flags{URL: "redis://bob:geheim@h:1"}, "redis://bob@h:1"},
		"only a password": {Flags{URL: "rediss://:geheim@h"}, "rediss://h"},
		"socket":          {Flags{URL: "unix:///tmp/r.sock?db=1"}, "unix:///tmp/r.sock"},
		"cluster":         {Flags{Cluster: "a:1,b:2"}, "the cluster at a:1,b:2"},
		"sentinel":        {Flags{Sentinel: "m@a:1, b:2"}, "the master m of the sentinels at a:1, b:2"},
		"two":             {Flags{URL: "redis://h", Cluster: "a:1"}, "error: exclude each other"},
		"scheme":          {Flags{URL: "http://:geheim@h"}, "error: begins with redis://"},
		"no scheme":       {Flags{URL: "localhost:6379"}, "error: begins with redis://"},
		"bad URL":         {Flags{URL: "redis://:geheim@h:x"}, "error: is no URL"},
		"bad percent":     {Flags{URL: "redis://:geheim%zz@h"}, "error: is no URL"},
		"bad database":    {Flags{URL: "redis://:geheim@h/x"}, "error: is not possible"},
		"bad option":      {Flags{URL: "redis://:geheim@h?nonsense=1"}, "error: is not possible"},
		"no path":         {Flags{URL: "unix://"}, "error: "},
		"no master":       {Flags{Sentinel: "a:1"}, "error: names no master"},
		"no port":         {Flags{Cluster: "a,b:2"}, `error: "a" is no address`},
		"password inside": {Flags{Cluster: ":geheim@a:1"}, "error: FLASHLAB_REDIS_PASSWORD"},
		"nothing":         {Flags{}, "error: give one"},
	} {
		tt, err := Parse(x.f, none)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = tt.String()
		}
		want, wantErr := strings.CutPrefix(x.want, "error: ")
		if wantErr != (err != nil) || !strings.Contains(got, want) || !wantErr && got != want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
		if strings.Contains(got, secret) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestPasswordFromEnvironment(t *testing.T) {
	env := func(k string) string {
		return map[string]string{"FLASHLAB_REDIS_PASSWORD": "geheim", "FLASHLAB_REDIS_USERNAME": "bob"}[k]
	}
	for _, f := range []Flags{{URL: "redis://h"}, {Cluster: "h:1"}, {Sentinel: "m@h:1"}} {
		tt, err := Parse(f, env)
		if err != nil {
			t.Fatal(err)
		}
		if o := tt.options(); o.Username != "bob" || o.Password != "geheim" {
			t.Errorf("%+v: %q %q", f, o.Username, o.Password)
		}
	}
	tt, err := Parse(Flags{URL: "redis://eve:own@h"}, env)
	if err != nil {
		t.Fatal(err)
	}
	if o := tt.options(); o.Username != "eve" || o.Password != "own" {
		t.Errorf("%q %q", o.Username, o.Password)
	}
}
