package exercise

import (
	"sort"

	"flashlab/lessons"
)

// The misconceptions that graders tell apart. The names stand in reports and must
// not change.
const (
	ZeroIsTrue      = "zero-is-true"      // if redis.call('SISMEMBER', ...) then
	MissingIsNil    = "missing-is-nil"    // a missing key compared with nil
	WriteThenFail   = "write-then-fail"   // an argument is missing after the first write
	WrongKey        = "wrong-key"         // a key that was not handed over
	SwappedArgs     = "swapped-arguments" // ARGV in another order
	TwoCalls        = "two-calls"         // look in one call, act in the next
	NeverDeletes    = "never-deletes"     // the lock stays
	AlwaysDeletes   = "always-deletes"    // whoever holds it
	OffByOne        = "off-by-one"        // one too many, one too few
	NoDuplicate     = "no-duplicate-check"
	WriteFirst      = "write-first" // writes before it has looked at everything
	WrongUnit       = "wrong-unit"  // seconds for milliseconds
	NoLease         = "no-lease"    // a key without a time to live
	Revives         = "revives"     // brings back a key that is gone
	ChecksNothing   = "checks-nothing"
	RowCountIgnored = "row-count-ignored"
	NeverRenews     = "never-renews"       // the lease is not set anew
	NotReentrant    = "not-reentrant"      // the holder is refused its own lock
	NotCounted      = "not-counted"        // the second hold counts as the first
	TakesForeign    = "takes-foreign-lock" // whoever holds it
	NoOrder         = "no-order"           // a yes, and nothing queued
	DigitsLost      = "digits-lost"        // an id that went through a Lua number
	NotDeducted     = "not-deducted"       // sold, and as many left as before
	WrongAnswer     = "wrong-answer"       // did right and says otherwise
	ShortLease      = "short-lease"        // the work outlives it
	LongLease       = "long-lease"         // after a crash nobody gets in for ages
	Refreshes       = "refreshes-window"   // a refused call prolongs what refuses it
	AllowsAll       = "allows-everybody"   // the limit is never reached
	CountsTooEarly  = "counts-too-early"   // before it is alone
	Trivial         = "does-nothing"       // holds because nobody gets anything
	Endless         = "endless"
	TooBig          = "too-big"
	TooDeep         = "too-deep"
	Forbidden       = "forbidden-call"
	Syntax          = "syntax"
	Fails           = "fails" // ends with an error
)

var titles = map[string]lessons.Text{
	ZeroIsTrue:      {EN: "0 is true in Lua", ZH: "Lua 里 0 是真"},
	MissingIsNil:    {EN: "a missing key is false, not nil", ZH: "key 不存在返回 false，不是 nil"},
	WriteThenFail:   {EN: "writes before the arguments are checked", ZH: "没检查参数就先写"},
	WrongKey:        {EN: "touches another key", ZH: "动了别的 key"},
	SwappedArgs:     {EN: "arguments swapped", ZH: "参数顺序反了"},
	TwoCalls:        {EN: "looks in one call, acts in another", ZH: "检查和操作分成两次调用"},
	NeverDeletes:    {EN: "never deletes", ZH: "从来不删"},
	AlwaysDeletes:   {EN: "deletes whoever holds it", ZH: "不管是谁的都删"},
	OffByOne:        {EN: "off by one", ZH: "差一个"},
	NoDuplicate:     {EN: "no check for a second order", ZH: "没查重复下单"},
	WriteFirst:      {EN: "writes first, looks later", ZH: "先写后查"},
	WrongUnit:       {EN: "wrong unit of time", ZH: "时间单位错了"},
	NoLease:         {EN: "no time to live", ZH: "没设过期时间"},
	Revives:         {EN: "revives a key that is gone", ZH: "让已经没了的 key 复活"},
	ChecksNothing:   {EN: "does not check whose it is", ZH: "不核对是谁的"},
	RowCountIgnored: {EN: "does not look at the answer", ZH: "不看返回值"},
	NeverRenews:     {EN: "does not renew", ZH: "没有续期"},
	NotReentrant:    {EN: "refuses its own holder", ZH: "把自己也挡在外面"},
	NotCounted:      {EN: "does not count the holds", ZH: "没记重入次数"},
	TakesForeign:    {EN: "takes the lock of another", ZH: "抢了别人的锁"},
	NoOrder:         {EN: "no order queued", ZH: "订单没进队列"},
	DigitsLost:      {EN: "an id lost its digits", ZH: "订单号丢了精度"},
	NotDeducted:     {EN: "no unit deducted", ZH: "没扣库存"},
	WrongAnswer:     {EN: "does right, answers wrong", ZH: "做对了，返回值不对"},
	ShortLease:      {EN: "the lease is shorter than the work", ZH: "租期比业务时间短"},
	LongLease:       {EN: "the lease is far too long", ZH: "租期太长"},
	Refreshes:       {EN: "prolongs the window", ZH: "把窗口往后拖"},
	AllowsAll:       {EN: "never refuses anybody", ZH: "谁都不拦"},
	CountsTooEarly:  {EN: "counts before it is alone", ZH: "还没独占就先查"},
	Trivial:         {EN: "nobody gets anything", ZH: "谁也拿不到"},
	Endless:         {EN: "never ends", ZH: "死循环"},
	TooBig:          {EN: "needs too much memory", ZH: "占内存太多"},
	TooDeep:         {EN: "calls itself too deeply", ZH: "递归太深"},
	Forbidden:       {EN: "a forbidden call", ZH: "调用了禁用的函数"},
	Syntax:          {EN: "not well-formed", ZH: "语法错误"},
	Fails:           {EN: "ends with an error", ZH: "执行报错"},
}

// MistakeTitle returns what a misconception is called, its name when it is unknown.
func MistakeTitle(name string) lessons.Text {
	if t, ok := titles[name]; ok {
		return t
	}
	return lessons.Text{EN: name, ZH: name}
}

// Mistakes returns the names of all misconceptions, sorted.
func Mistakes() []string {
	var out []string
	for name := range titles {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
