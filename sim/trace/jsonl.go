package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// jsonSchema is the version of the JSON Lines form. Keys may be added under the
// same number; a key that changes its meaning raises it.
const jsonSchema = 1

// eventLine is one event in the JSON Lines form. The order of fields is the
// order of keys.
type eventLine struct {
	Schema int      `json:"schema"`
	Seq    int      `json:"seq"`
	Actor  string   `json:"actor"`
	Node   string   `json:"node"`
	Op     string   `json:"op"`
	Args   string   `json:"args"`
	Reply  string   `json:"reply"`
	AtMs   int64    `json:"at_ms"`
	Line   int      `json:"line"`
	Broken []string `json:"broken"`
	RunOut bool     `json:"run_out,omitempty"`
}

// lastLine closes the log.
type lastLine struct {
	Schema   int       `json:"schema"`
	Verdict  string    `json:"verdict"`
	Schedule string    `json:"schedule"`
	Final    finalJSON `json:"final"`
}

type finalJSON struct {
	AtMs   int64                       `json:"at_ms"`
	Tables map[string][]map[string]any `json:"tables"`
	Keys   map[string]keyJSON          `json:"keys"`
	Lights map[string]string           `json:"lights"`
}

type keyJSON struct {
	Type  string `json:"type"`
	Value string `json:"value"`
	TTLMs int64  `json:"ttl_ms"` // -1: none, as Redis answers
	Owner string `json:"owner,omitempty"`
}

// WriteJSON writes the run as JSON Lines, one object a line. Each event is
//
//	{"schema":1,"seq":6,"actor":"B","node":"n1","op":"INSERT","args":"INSERT INTO ...",
//	 "reply":"1 row","at_ms":0,"line":31,"broken":["no-oversell"]}
//
// with at_ms in milliseconds of virtual time, line 0 where the source is not
// known, broken never null, and "run_out":true only for what follows the end of
// the schedule (seq 0). Steps of the environment have actor "" and an op such as
// "expire", "clock" or "crash". The last line is
//
//	{"schema":1,"verdict":"breaks","schedule":"...","final":{"at_ms":0,
//	 "tables":{"voucher":[{"id":1,"stock":0}]},
//	 "keys":{"lock:order:7":{"type":"string","value":"b1","ttl_ms":5000,"owner":"B"}},
//	 "lights":{"no-oversell":"red"}}}
//
// Integers in rows are numbers up to 2^53-1, the bound within which every reader
// agrees on them (RFC 8259, section 6); longer ones, such as generated ids, stay
// strings. Bytes that are no UTF-8 become U+FFFD. An error is the writer's.
func WriteJSON(w io.Writer, l Log) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // commands are full of < and >
	for _, e := range l.events() {
		broken := e.Broken
		if broken == nil {
			broken = []string{}
		}
		if err := enc.Encode(eventLine{
			Schema: jsonSchema, Seq: e.Seq, Actor: e.Actor, Node: e.Node, Op: e.Op, Args: e.Args,
			Reply: e.Reply, AtMs: e.At.Milliseconds(), Line: e.Line(), Broken: broken, RunOut: e.RunOut,
		}); err != nil {
			return fmt.Errorf("encoding step %d: %w", e.Seq, err)
		}
	}
	if err := enc.Encode(lastLine{jsonSchema, l.Verdict, l.Token, finalOf(l.final())}); err != nil {
		return fmt.Errorf("encoding the end of the run: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the run as JSON: %w", err)
	}
	return nil
}

func finalOf(s *State) finalJSON {
	f := finalJSON{
		AtMs:   s.Now.Milliseconds(),
		Tables: map[string][]map[string]any{},
		Keys:   map[string]keyJSON{},
		Lights: map[string]string{},
	}
	for _, t := range s.Tables {
		rows := make([]map[string]any, 0, len(t.Rows))
		for _, row := range t.Rows {
			cells := map[string]any{}
			for i, v := range row {
				cells[columnName(t, i)] = cellValue(v)
			}
			rows = append(rows, cells)
		}
		f.Tables[t.Name] = rows
	}
	for _, k := range s.Keys {
		ttl := int64(-1)
		if k.TTL >= 0 {
			ttl = k.TTL.Milliseconds()
		}
		f.Keys[k.Name] = keyJSON{k.Type, k.Value, ttl, k.Owner}
	}
	for _, li := range s.Lights {
		f.Lights[li.Name] = li.Status.String()
	}
	return f
}

// cellValue is v as a number if it is written exactly as one would write that
// integer, else as it stands: "007" is a code, not seven.
func cellValue(v string) any {
	const safe = 1<<53 - 1
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n > safe || n < -safe || strconv.FormatInt(n, 10) != v {
		return v
	}
	return n
}
