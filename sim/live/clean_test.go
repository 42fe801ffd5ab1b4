package live

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

// foreign puts keys of all kinds on a server and returns what checks that none has
// changed.
func foreign(t *testing.T, rdb redis.UniversalClient, n int) (check func()) {
	t.Helper()
	ctx := context.Background()
	for i := range n {
		k := "shop:" + strconv.Itoa(i)
		if i%10 == 9 { // these only look like the lab's
			k = "flashlab:note:" + strconv.Itoa(i)
		}
		var err error
		switch i % 4 {
		case 0:
			err = rdb.Set(ctx, k, i, 0).Err()
		case 1:
			err = rdb.HSet(ctx, k, "f", i).Err()
		case 2:
			err = rdb.RPush(ctx, k, i, i+1).Err()
		case 3:
			err = rdb.XAdd(ctx, &redis.XAddArgs{Stream: k, ID: "1-1", Values: []any{"f", i}}).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	dump := func() map[string]string {
		out := map[string]string{}
		for i := range n {
			for _, k := range []string{"shop:" + strconv.Itoa(i), "flashlab:note:" + strconv.Itoa(i)} {
				if v, err := rdb.Dump(ctx, k).Result(); err == nil {
					out[k] = v
				}
			}
		}
		return out
	}
	before := dump()
	if len(before) != n {
		t.Fatalf("%d keys of %d", len(before), n)
	}
	return func() {
		t.Helper()
		after := dump()
		for k, v := range before {
			if after[k] != v {
				t.Errorf("%s has changed", k)
			}
		}
	}
}

// TestClean: a run removes its keys; of one that was killed clean removes them once
// its heartbeat has ended, and a living one it leaves alone.
func TestClean(t *testing.T) {
	single := livetest.Start(t)
	masters := livetest.StartMasters(t)
	watched := livetest.StartSentinel(t)
	for name, f := range map[string]Flags{
		"single":   {URL: "redis://" + single.Addr()},
		"cluster":  {Cluster: masters[1].Addr()},
		"sentinel": {Sentinel: fmt.Sprintf("%s@%s,%s", livetest.MasterName, watched.Addrs()[0], watched.Addrs()[1])},
	} {
		t.Run(name, func(t *testing.T) {
			x, err := Parse(f, none)
			if err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			all := x.universal()
			defer all.Close()
			unchanged := foreign(t, all, 1000)

			var runs []*Run
			for _, tagged := range []bool{true, true, false} {
				r, err := Open(ctx, x, tagged)
				if err != nil {
					t.Fatal(err)
				}
				runs = append(runs, r)
				c := r.Universal()
				for i := range 1200 {
					if err := c.Set(ctx, "k"+strconv.Itoa(i), i, 0).Err(); err != nil {
						t.Fatal(err)
					}
				}
				c.Close()
			}
			alive, dead := runs[0], runs[1:]
			for _, r := range dead { // as if killed, and 30 s ago
				close(r.stop)
				r.beats.Wait()
				if err := r.one.Del(ctx, r.key(heartbeat)).Err(); err != nil {
					t.Fatal(err)
				}
			}
			left, err := Clean(ctx, x)
			if err != nil || len(left) != 3 {
				t.Fatalf("%v, %v", left, err)
			}
			for _, l := range left {
				want := Left{Run: l.Run, Keys: 1200}
				if l.Run == alive.ID {
					want.Keys, want.Alive = 1201, true
				}
				if l != want {
					t.Errorf("%+v, want %+v", l, want)
				}
			}
			if n := all.Exists(ctx, alive.key("k7"), alive.key(heartbeat)).Val(); n != 2 {
				t.Errorf("the living run has %d of 2 keys", n)
			}
			if err := alive.Close(); err != nil {
				t.Error(err)
			}
			if left, err := Clean(ctx, x); err != nil || len(left) != 0 {
				t.Errorf("afterwards: %v, %v", left, err)
			}
			unchanged()
			for _, r := range dead {
				r.one.Close()
				r.all.Close()
			}
		})
	}
}

// TestWays: a socket, TLS with a certificate of our own, a password.
func TestWays(t *testing.T) {
	dir := t.TempDir()
	cert, key, pool := certificate(t, dir)
	tlsPort := free(t)
	socket := filepath.Join(dir, "r.sock")
	livetest.Start(t, "--requirepass", secret, "--unixsocket", socket, "--tls-port", strconv.Itoa(tlsPort),
		"--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert, "--tls-auth-clients", "no")
	for name, x := range map[string]struct {
		url   string
		roots *x509.CertPool
	}{
		"socket": {"unix://:" + secret + "@" + socket, nil},
		"TLS":    {fmt.Sprintf("rediss://:%s@127.0.0.1:%d", secret, tlsPort), pool},
	} {
		y := target(t, x.url)
		y.RootCAs = x.roots
		r := open(t, y)
		c := r.Client()
		if err := c.Set(t.Context(), "k", "v", 0).Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c.Close()
		for _, f := range Examine(t.Context(), y) {
			if f.Status == "fail" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	if got := refused(t, target(t, fmt.Sprintf("rediss://:%s@127.0.0.1:%d", secret, tlsPort))); got.Kind != "tls" {
		t.Errorf("a strange certificate: %s: %v", got.Kind, got)
	}
	if got := refused(t, target(t, fmt.Sprintf("redis://:%s@127.0.0.1:%d", secret, tlsPort))); got.Kind == "" {
		t.Errorf("plain to TLS: %v", got)
	} else {
		t.Log(got)
	}
}

func free(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// certificate makes one that signs itself.
func certificate(t *testing.T, dir string) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "redis"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, x, x, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	k, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	certFile, keyFile = write("cert.pem", "CERTIFICATE", der), write("key.pem", "EC PRIVATE KEY", k)
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return certFile, keyFile, pool
}
