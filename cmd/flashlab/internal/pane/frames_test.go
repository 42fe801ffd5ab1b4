package pane

import (
	"fmt"
	"strings"
	"time"

	"flashlab/lessons"
	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// film makes the frames of a run by hand: each step changes the world it is given.
type film struct {
	world  trace.State
	frames []trace.Frame
}

// shoot appends a frame of the world as it stands.
func (f *film) shoot(e *trace.Event) {
	s := f.world
	s.Actors = append([]trace.Actor(nil), s.Actors...)
	s.Keys = append([]trace.Key(nil), s.Keys...)
	s.Lights = append([]trace.Light(nil), s.Lights...)
	s.Choices = nil
	for i := range s.Actors {
		if a := &s.Actors[i]; a.Phase == trace.Ready {
			s.Choices = append(s.Choices, trace.Choice{Move: a.Letter, Actor: a.Letter, Label: a.Next})
		}
	}
	s.Choices = append(s.Choices, f.world.Choices...)
	s.Ended = len(s.Choices) == 0
	f.frames = append(f.frames, trace.Frame{Event: e, State: s})
}

// step is an operation of an actor: what it asks, what is answered, and the next
// operation, "" when it ends with this one.
func (f *film) step(letter, text, reply, next string, line int) *trace.Event {
	a := f.actor(letter)
	e := &trace.Event{
		Seq: len(f.frames), Move: letter, Actor: letter, Node: a.Node, Kind: "sql", Op: opOf(text), Args: text, Reply: reply,
		At: f.world.Now, Stack: a.Stack,
	}
	if strings.Contains("SET GET DEL EVALSHA", e.Op) {
		e.Kind = "redis"
		e.Access = []trace.Access{{Resource: strings.Fields(text)[1], Write: e.Op != "GET"}}
	}
	if table := tableIn(text); table != "" {
		e.Access = []trace.Access{{Resource: table, Write: e.Op != "SELECT"}}
	}
	a.Begun = true
	f.stand(letter, next, line)
	if next == "" {
		a.Phase, a.Result, e.End = trace.Done, "ok", "ok"
	}
	return e
}

// stand puts an actor before an operation at a line.
func (f *film) stand(letter, next string, line int) {
	a := f.actor(letter)
	a.Phase, a.Next, a.NextOp, a.Stack = trace.Ready, next, opOf(next), nil
	if line > 0 {
		a.Stack = []source.Frame{{Package: "oversell", File: "lostupdate.go", Line: line}}
	}
}

func (f *film) actor(letter string) *trace.Actor {
	for i := range f.world.Actors {
		if f.world.Actors[i].Letter == letter {
			return &f.world.Actors[i]
		}
	}
	panic("no actor " + letter)
}

func opOf(text string) string {
	op, _, _ := strings.Cut(text, " ")
	if strings.HasPrefix(text, "BEGIN") {
		return text
	}
	return op
}

func tableIn(text string) string {
	for _, t := range []string{"voucher ", "orders "} {
		if strings.Contains(text, t) {
			return strings.TrimSpace(t)
		}
	}
	return ""
}

func buyer(letter string, n int) trace.Actor {
	return trace.Actor{Letter: letter, Name: trace.Say("actor.buyer", "buyer {n}", "n", n), Node: "n1"}
}

func tables(stock string, orders ...string) []trace.Table {
	t := []trace.Table{
		{Name: "orders", Columns: []string{"user", "voucher"}},
		{Name: "voucher", Columns: []string{"id", "stock", "version"}, Rows: [][]string{{"1", stock, "0"}}},
	}
	for _, user := range orders {
		t[0].Rows = append(t[0].Rows, []string{user, "1"})
	}
	return t
}

func saleLights(orders, stock string, conserved trace.Status) []trace.Light {
	return []trace.Light{
		{Name: "no-oversell", Detail: trace.Say("sale.orders", "orders {orders}, stock at start {start}", "orders", orders, "start", 1)},
		{Name: "stock-not-negative", Detail: trace.Say("sale.stock", "stock {stock}", "stock", stock)},
		{Name: "one-per-user", Detail: trace.Say("sale.per-user", "most orders of one user {most}", "most", 1)},
		{Name: "conservation", Status: conserved, Detail: trace.Say("sale.account", "stock {stock} + orders {orders}, at start {start}", "stock", stock, "orders", orders, "start", 1)},
	}
}

const (
	readStock   = "SELECT stock FROM voucher WHERE id = 1"
	writeStock  = "UPDATE voucher SET stock = 0 WHERE id = 1"
	guardStock  = "UPDATE voucher SET stock = stock - 1 WHERE id = 1 AND stock > 0"
	orderOfA    = "INSERT INTO orders (user_id, voucher_id) VALUES (1, 1)"
	orderOfB    = "INSERT INTO orders (user_id, voucher_id) VALUES (2, 1)"
	begin       = "BEGIN IMMEDIATE"
	takeLock    = "SET lock:order:7 %s1 NX PX 5000"
	releaseLock = "DEL lock:order:7"
)

// lostUpdate is the first schedule of the first lesson: two buyers, one unit, two
// orders. It is broken at step 6 and has ended there.
func lostUpdate() *Lesson {
	f := &film{}
	f.world.Actors = []trace.Actor{buyer("A", 1), buyer("B", 2)}
	f.world.Tables = tables("1")
	f.world.Lights = saleLights("0", "1", trace.Green)
	f.world.Notes = []trace.Phrase{trace.Verbatim("UNIQUE(user, voucher)")}
	f.stand("A", readStock, 8)
	f.stand("B", readStock, 8)
	f.shoot(nil)

	f.world.Lights = saleLights("0", "1", trace.Grey)
	f.shoot(f.step("A", readStock, "stock=1", writeStock, 17))
	f.shoot(f.step("B", readStock, "stock=1", writeStock, 17))
	e := f.step("B", writeStock, "1 row", orderOfB, 23)
	f.world.Tables, f.world.Lights = tables("0"), saleLights("0", "0", trace.Grey)
	f.shoot(e)
	e = f.step("B", orderOfB, "1 row", "", 0)
	f.world.Tables, f.world.Lights = tables("0", "2"), saleLights("1", "0", trace.Grey)
	f.shoot(e)
	f.shoot(f.step("A", writeStock, "1 row", orderOfA, 23))
	e = f.step("A", orderOfA, "1 row", "", 0)
	e.Broken = []string{"no-oversell", "conservation"}
	f.world.Tables, f.world.Lights = tables("0", "1", "2"), saleLights("2", "0", trace.Red)
	f.world.Lights[0].Status, f.world.Lights[0].Since, f.world.Lights[3].Since = trace.Red, 6, 6
	f.shoot(e)

	last := f.frames[len(f.frames)-1]
	code := SourceView{File: "oversell/lostupdate.go", Lines: strings.Split(lostUpdateGo, "\n")}
	return &Lesson{
		Path: f.frames, RunOut: []trace.Frame{{State: last.State}}, Cursor: len(f.frames) - 1, Selected: -1,
		Variant: &lessons.Variant{
			File: "lostupdate.go",
			Summary: lessons.Text{
				EN: "LostUpdate reads the stock, subtracts in Go and writes the result back: three steps, and somebody else can come in between.",
				ZH: "LostUpdate 先读库存，在 Go 里减一，再把结果写回去：一共三步，别人可以插进来。",
			},
			Steps: []lessons.Step{{Go: "QueryRowContext", Say: lessons.Text{EN: "{actor} reads {reply}. From now on it relies on that.", ZH: "{actor} 读到 {reply}，此后就靠它了。"}}},
		},
		Code:  map[string]SourceView{"A": code, "B": code},
		Light: "no-oversell",
	}
}

// guarded has a writer that waits for the write lock and ends with an error.
func guarded() *Lesson {
	f := &film{}
	f.world.Actors = []trace.Actor{buyer("A", 1), buyer("B", 2)}
	f.world.Tables = tables("1")
	f.world.Lights = saleLights("0", "1", trace.Green)
	f.stand("A", begin, 8)
	f.stand("B", begin, 8)
	f.shoot(nil)

	wait := func(letter, by string) {
		a := f.actor(letter)
		a.Phase, a.Why = trace.Blocked, trace.Reason{Kind: "write-lock", Name: "write lock", By: by}
	}
	e := f.step("B", begin, "ok", guardStock, 17)
	f.world.Writer, f.world.Lights = "B", saleLights("0", "1", trace.Grey)
	wait("A", "B")
	f.shoot(e)
	f.shoot(f.step("B", guardStock, "1 row", orderOfB, 23))
	f.shoot(f.step("B", orderOfB, "1 row", "COMMIT", 28))
	e = f.step("B", "COMMIT", "ok", "", 0)
	f.world.Writer, f.world.Tables, f.world.Lights = "", tables("0", "2"), saleLights("1", "0", trace.Green)
	f.stand("A", begin, 8)
	f.shoot(e)
	e = f.step("A", begin, "ok", guardStock, 17)
	f.world.Writer, f.world.Lights = "A", saleLights("1", "0", trace.Grey)
	f.shoot(e)
	f.shoot(f.step("A", guardStock, "0 rows", "ROLLBACK", 12))
	e = f.step("A", "ROLLBACK", "ok", "", 0)
	e.End, f.actor("A").Result = "sold out", "sold out"
	f.world.Writer, f.world.Lights = "", saleLights("1", "0", trace.Green)
	f.shoot(e)
	last := f.frames[len(f.frames)-1]
	code := SourceView{File: "oversell/guarded.go", Lines: strings.Split(lostUpdateGo, "\n")}
	return &Lesson{
		Path: f.frames, RunOut: []trace.Frame{{State: last.State}}, Cursor: 2, Selected: 0,
		Branches: []int{0, 4}, Code: map[string]SourceView{"A": code, "B": code}, Light: "no-oversell",
	}
}

// lease is a lock whose lease runs out while its holder works; the holder then
// deletes the lock of another. Step 9 is still to come at the cursor.
func lease() *Lesson {
	f := &film{}
	f.world.Actors = []trace.Actor{buyer("A", 1), buyer("B", 2)}
	f.world.Actors[1].Node = "n2"
	f.world.Tables = tables("5")[1:]
	f.world.Lights = []trace.Light{{Name: "mutual-exclusion", Detail: trace.Verbatim("holders 0")}, {Name: "no-misdeletion"}, {Name: "lock-released", Status: trace.Grey}}
	f.stand("A", fmt.Sprintf(takeLock, "A"), 12)
	f.stand("B", fmt.Sprintf(takeLock, "B"), 12)
	f.shoot(nil)

	key := func(owner string, ttl time.Duration) {
		f.world.Keys = []trace.Key{{Name: "fence:order:7", Type: "string", Value: "34", TTL: -1}}
		if owner != "" {
			f.world.Keys = append(f.world.Keys, trace.Key{Name: "lock:order:7", Type: "string", Value: owner + "1", TTL: ttl, Owner: owner})
		}
	}
	e := f.step("A", fmt.Sprintf(takeLock, "A"), "OK", "SELECT stock FROM voucher WHERE id = 1", 16)
	key("A", 5*time.Second)
	f.world.Choices = []trace.Choice{{Move: "ea", What: "lock:order:7", Label: "expire lock:order:7", Fault: true}, {Move: "xA", What: "A", Label: "crash A", Fault: true}, {Move: "xB", What: "B", Label: "crash B", Fault: true}}
	f.shoot(e)
	e = f.step("B", fmt.Sprintf(takeLock, "B"), "(nil)", "sleep 100ms", 13)
	b := f.actor("B")
	b.Phase, b.Why = trace.Blocked, trace.Reason{Kind: "sleep", Left: 100 * time.Millisecond}
	f.shoot(e)
	f.world.Now = 5 * time.Second
	key("", 0)
	f.stand("B", "sleep 100ms", 13)
	f.world.Choices = []trace.Choice{{Move: "xA", What: "A", Label: "crash A", Fault: true}, {Move: "xB", What: "B", Label: "crash B", Fault: true}}
	f.shoot(&trace.Event{Seq: 3, Move: "ea", Kind: "env", Op: "expire", Args: "expire lock:order:7", At: f.world.Now, Access: []trace.Access{{Resource: "lock:order:7", Write: true}}})
	e = f.step("B", "sleep 100ms", "", fmt.Sprintf(takeLock, "B"), 12)
	e.Kind, f.world.Now = "sleep", 5100*time.Millisecond
	e.At = f.world.Now
	f.shoot(e)
	e = f.step("B", fmt.Sprintf(takeLock, "B"), "OK", "SELECT stock FROM voucher WHERE id = 1", 16)
	key("B", 5*time.Second)
	e.Broken = []string{"mutual-exclusion"}
	f.world.Lights[0] = trace.Light{Name: "mutual-exclusion", Status: trace.Red, Since: 5, Detail: trace.Verbatim("holders A, B")}
	f.world.Choices = []trace.Choice{{Move: "ea", What: "lock:order:7", Label: "expire lock:order:7", Fault: true}, {Move: "xA", What: "A", Label: "crash A", Fault: true}, {Move: "xB", What: "B", Label: "crash B", Fault: true}, {Move: "t", What: "30s", Label: "clock to 30s", Fault: true}}
	f.shoot(e)
	f.world.Now = 9100 * time.Millisecond
	key("B", time.Second)
	f.shoot(f.step("A", "SELECT stock FROM voucher WHERE id = 1", "stock=5", releaseLock, 19))
	e = f.step("A", releaseLock, "1", "", 0)
	key("", 0)
	e.Broken = []string{"no-misdeletion"}
	f.world.Lights[1] = trace.Light{Name: "no-misdeletion", Status: trace.Red, Since: 7, Detail: trace.Verbatim("A deleted the lock of B")}
	f.world.Choices = []trace.Choice{{Move: "xB", What: "B", Label: "crash B", Fault: true}}
	f.shoot(e)
	f.world.Choices = nil
	e = &trace.Event{Seq: 8, Move: "xB", Node: "n2", Kind: "env", Op: "crash", Args: "crash B", At: f.world.Now}
	f.actor("B").Phase = trace.Dead
	f.shoot(e)

	return &Lesson{Path: f.frames, Cursor: 6, Selected: 2, Focus: 8, Branches: []int{3}, Light: "no-misdeletion"}
}

const lostUpdateGo = `package oversell

import "context"

// LostUpdate reads the stock, subtracts in Go and writes the result back.
func (s *Shop) LostUpdate(ctx context.Context, user, voucher int64) error {
	var stock int
	row := s.DB.QueryRowContext(ctx, ` + "`SELECT stock FROM voucher\n\t\tWHERE id = ?`" + `, voucher)
	if err := row.Scan(&stock); err != nil {
		return err
	}
	if stock <= 0 {
		return ErrSoldOut
	}

	_, err := s.DB.ExecContext(ctx, ` + "`UPDATE voucher SET stock = ?\n\t\tWHERE id = ?`" + `, stock-1, voucher)
	if err != nil {
		return err
	}

	_, err = s.DB.ExecContext(ctx, ` + "`INSERT INTO orders (user_id, voucher_id)\n\t\tVALUES (?, ?)`" + `, user, voucher)
	return err
}`
