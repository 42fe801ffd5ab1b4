package trace_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"flashlab/sim/trace"
)

func jsonLines(t *testing.T, l trace.Log) []string {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WriteJSON(&b, l); err != nil {
		t.Fatal(err)
	}
	if err := checkJSON(b.String()); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestJSONEvents(t *testing.T) {
	lines := jsonLines(t, misdeletionLog())
	if len(lines) != 7 {
		t.Fatalf("%d lines, want six steps and the end", len(lines))
	}
	for i, want := range map[int]string{
		2: `{"schema":1,"seq":3,"actor":"A","node":"n1","op":"GET","args":"GET lock:order:7","reply":"a1","at_ms":0,"line":23,"broken":[]}`,
		3: `{"schema":1,"seq":4,"actor":"","node":"","op":"expire","args":"lock:order:7","reply":"","at_ms":0,"line":0,"broken":[]}`,
		5: `{"schema":1,"seq":6,"actor":"A","node":"n1","op":"DEL","args":"DEL lock:order:7","reply":"1","at_ms":0,"line":25,"broken":["no-misdeletion"]}`,
	} {
		if lines[i] != want {
			t.Errorf("line %d:\ngot  %s\nwant %s", i+1, lines[i], want)
		}
	}
}

func TestJSONRunOut(t *testing.T) {
	lines := jsonLines(t, fourLog())
	for i, line := range lines[:len(lines)-1] {
		if got, want := strings.HasSuffix(line, `,"run_out":true}`), i == len(lines)-2; got != want {
			t.Errorf("line %d: run_out %v, want %v", i+1, got, want)
		}
	}
	if !strings.Contains(lines[4], `"at_ms":2000`) {
		t.Errorf("no milliseconds in %s", lines[4])
	}
}

func TestJSONFinal(t *testing.T) {
	l := oversellLog()
	last := &l.Frames[len(l.Frames)-1].State
	last.Tables = append(last.Tables, trace.Table{Name: "odd", Columns: []string{"v"}, Rows: [][]string{
		{"-3"}, {"007"}, {"-0"}, {"1.5"}, {"9007199254740991"}, {"9007199254740992"}, {"+1"}, {""}, {"NULL"}, {"a<b"}, {"1", "more"}, nil,
	}})
	last.Tables = append(last.Tables, trace.Table{Name: "bare"})
	last.Keys = []trace.Key{{Name: "z", Type: "string", Value: "1", TTL: -1}, {Name: "a", Type: "hash", Value: "x=1", TTL: 1500e6, Owner: "B"}}
	lines := jsonLines(t, l)
	var end struct {
		Verdict, Schedule string
		Final             json.RawMessage
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil {
		t.Fatal(err)
	}
	if end.Verdict != "breaks" || end.Schedule != l.Token {
		t.Errorf("verdict %q, schedule %q", end.Verdict, end.Schedule)
	}
	const want = `{"at_ms":0,"tables":{"bare":[],"odd":[{"v":-3},{"v":"007"},{"v":"-0"},{"v":"1.5"},{"v":9007199254740991},` +
		`{"v":"9007199254740992"},{"v":"+1"},{"v":""},{"v":"NULL"},{"v":"a<b"},{"#2":"more","v":1},{}],` +
		`"orders":[{"id":1,"user_id":7,"voucher_id":1},{"id":2,"user_id":8,"voucher_id":1}],"voucher":[{"id":1,"stock":0}]},` +
		`"keys":{"a":{"type":"hash","value":"x=1","ttl_ms":1500,"owner":"B"},"z":{"type":"string","value":"1","ttl_ms":-1}},` +
		`"lights":{"conservation":"grey","no-oversell":"red","stock-not-negative":"green"}}`
	if string(end.Final) != want {
		t.Errorf("got  %s\nwant %s", end.Final, want)
	}
}
