package luabox

import (
	"fmt"
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// The functions that take the place of operations which need an unbounded amount
// of memory in one instruction. No script can spell such a name.
const (
	nameConcat = "(concat)" // (concat)(a, b, ...): a .. b .. ...
	nameStore  = "(store)"  // (store)(t, k, v): t[k] = v
	nameTable  = "(table)"  // (table)({...}, fields): the table
	nameKey    = "(key)"    // {[(key)(k)] = v}: k
)

// smallKey is the largest constant index that is stored without asking: gopher-lua
// fills an array up to the index with nil.
const smallKey = 16

// rewrite prepares a syntax tree for the budget. An instruction counts as one
// step whatever it does, which is fair to all but three: concatenation can double
// a string each time, an assignment to t[60000000] asks for a gigabyte at once,
// and a table constructor asks for much at little cost. These become calls of
// functions that know the budget; the meaning stays.
//
// It also refuses what gopher-lua has and Lua 5.1 has not (goto), and nesting so
// deep that the compiler, which is recursive, could exhaust its stack.
func rewrite(chunk []ast.Stmt, name string) ([]ast.Stmt, error) {
	r := &rewriter{name: name}
	chunk = r.block(chunk)
	return chunk, r.err
}

type rewriter struct {
	name  string
	depth int
	err   error
}

// enter counts a level of nesting; every caller calls leave.
func (r *rewriter) enter(at ast.PositionHolder) bool {
	r.depth++
	if r.depth > maxNesting && r.err == nil {
		r.err = fmt.Errorf("%s:%d: chunk has too many syntax levels", r.name, at.Line())
	}
	return r.err == nil
}

func (r *rewriter) leave() { r.depth-- }

func (r *rewriter) block(list []ast.Stmt) []ast.Stmt {
	for i, s := range list {
		list[i] = r.stmt(s)
	}
	return list
}

func (r *rewriter) stmt(s ast.Stmt) ast.Stmt {
	defer r.leave()
	if !r.enter(s) {
		return s
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.assign(s)
	case *ast.LocalAssignStmt:
		r.exprs(s.Exprs)
	case *ast.FuncCallStmt:
		s.Expr = r.expr(s.Expr)
	case *ast.DoBlockStmt:
		r.block(s.Stmts)
	case *ast.WhileStmt:
		s.Condition = r.expr(s.Condition)
		r.block(s.Stmts)
	case *ast.RepeatStmt:
		r.block(s.Stmts)
		s.Condition = r.expr(s.Condition)
	case *ast.IfStmt:
		r.ifElse(s)
	case *ast.NumberForStmt:
		s.Init, s.Limit = r.expr(s.Init), r.expr(s.Limit)
		if s.Step != nil {
			s.Step = r.expr(s.Step)
		}
		r.block(s.Stmts)
	case *ast.GenericForStmt:
		r.exprs(s.Exprs)
		r.block(s.Stmts)
	case *ast.FuncDefStmt:
		r.block(s.Func.Stmts)
	case *ast.ReturnStmt:
		r.exprs(s.Exprs)
	case *ast.GotoStmt, *ast.LabelStmt:
		r.err = fmt.Errorf("%s:%d: goto is not part of Lua 5.1", r.name, s.Line())
	}
	return s
}

// ifElse walks a chain of elseif in a loop: the tree nests them, Lua does not.
func (r *rewriter) ifElse(s *ast.IfStmt) {
	for {
		s.Condition = r.expr(s.Condition)
		r.block(s.Then)
		if len(s.Else) == 1 {
			if next, ok := s.Else[0].(*ast.IfStmt); ok {
				// The compiler recurs here, so the chain counts after all.
				r.depth++
				defer r.leave()
				if r.depth > maxNesting {
					r.enter(next)
					r.leave()
					return
				}
				s = next
				continue
			}
		}
		r.block(s.Else)
		return
	}
}

func (r *rewriter) exprs(list []ast.Expr) {
	for i, e := range list {
		list[i] = r.expr(e)
	}
}

func (r *rewriter) expr(e ast.Expr) ast.Expr {
	defer r.leave()
	if !r.enter(e) {
		return e
	}
	switch e := e.(type) {
	case *ast.NumberExpr:
		// Read here: gopher-lua takes 010 for 8 and 1e400 for no number.
		if v, ok := toNumber(e.Value); ok {
			e.Value = strconv.FormatFloat(v, 'g', -1, 64)
		}
	case *ast.AttrGetExpr:
		e.Object, e.Key = r.expr(e.Object), r.expr(e.Key)
	case *ast.TableExpr:
		return r.table(e)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			e.Func = r.expr(e.Func)
		}
		if e.Receiver != nil {
			e.Receiver = r.expr(e.Receiver)
		}
		r.exprs(e.Args)
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	case *ast.RelationalOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	case *ast.ArithmeticOpExpr:
		e.Lhs, e.Rhs = r.expr(e.Lhs), r.expr(e.Rhs)
	case *ast.UnaryMinusOpExpr:
		e.Expr = r.expr(e.Expr)
	case *ast.UnaryNotOpExpr:
		e.Expr = r.expr(e.Expr)
	case *ast.UnaryLenOpExpr:
		e.Expr = r.expr(e.Expr)
	case *ast.FunctionExpr:
		r.block(e.Stmts)
	case *ast.StringConcatOpExpr:
		return r.concat(e)
	}
	return e
}

// concat makes one call of a .. b .. c, which the tree nests to the right.
func (r *rewriter) concat(e *ast.StringConcatOpExpr) ast.Expr {
	var args []ast.Expr
	var last ast.Expr = e
	for {
		c, ok := last.(*ast.StringConcatOpExpr)
		if !ok {
			break
		}
		args = append(args, r.expr(c.Lhs))
		last = c.Rhs
	}
	args = append(args, single(r.expr(last)))
	return hidden(nameConcat, e, args...)
}

// elementsPerFlush is how many elements gopher-lua gathers before it puts them into
// a table under construction.
const elementsPerFlush = 50

// table charges for a constructor and looks at computed indexes in it. It also goes
// around two faults of gopher-lua's compiler: a call as the value of the last field
// counts as an element as well, and fields behind 50 elements damage the first.
func (r *rewriter) table(t *ast.TableExpr) ast.Expr {
	var keyed, elements []*ast.Field
	for _, f := range t.Fields {
		f.Value = r.expr(f.Value)
		if f.Key == nil {
			elements = append(elements, f)
			continue
		}
		keyed = append(keyed, f)
		f.Value = single(f.Value)
		plain := bounded(f.Key)
		f.Key = r.expr(f.Key)
		if !plain {
			f.Key = hidden(nameKey, f.Key, single(f.Key))
		}
	}
	if len(elements) >= elementsPerFlush && len(keyed) > 0 {
		if last := elements[len(elements)-1]; last != t.Fields[len(t.Fields)-1] {
			last.Value = single(last.Value)
		}
		t.Fields = append(keyed, elements...)
	}
	n := &ast.NumberExpr{Value: strconv.Itoa(len(t.Fields))}
	place(n, t)
	return hidden(nameTable, t, t, n)
}

// bounded tells whether an index is a constant that no array grows much for.
func bounded(key ast.Expr) bool {
	switch k := key.(type) {
	case *ast.StringExpr:
		return true
	case *ast.NumberExpr:
		v, ok := toNumber(k.Value)
		return ok && math.Abs(v) <= smallKey
	}
	return false
}

// assign turns an assignment to a computed index into a store, and one to several
// targets into several: gopher-lua's compiler mistakes the values when there are more
// of them than targets. All targets, and then all values, are evaluated before the
// first assignment, and the last target is assigned first, as Lua's compiler does it.
func (r *rewriter) assign(s *ast.AssignStmt) ast.Stmt {
	r.exprs(s.Rhs)
	computed := false
	for _, e := range s.Lhs {
		if a, ok := e.(*ast.AttrGetExpr); ok {
			computed = !bounded(a.Key)
			a.Object, a.Key = r.expr(a.Object), r.expr(a.Key)
		}
	}
	if len(s.Lhs) > 1 || len(s.Rhs) > 1 {
		return assignSeveral(s)
	}
	if computed {
		a := s.Lhs[0].(*ast.AttrGetExpr)
		return store(s, a.Object, a.Key, single(s.Rhs[0]))
	}
	return s
}

func assignSeveral(s *ast.AssignStmt) ast.Stmt {
	do := &ast.DoBlockStmt{}
	place(do, s)
	add := func(stmt ast.Stmt) {
		place(stmt, s)
		do.Stmts = append(do.Stmts, stmt)
	}
	// Names that no script can spell.
	name := func(kind string, i int) string { return fmt.Sprintf("(%s %d)", kind, i) }
	var places []string
	var prefixes []ast.Expr
	for i, e := range s.Lhs {
		if a, ok := e.(*ast.AttrGetExpr); ok {
			places = append(places, name("object", i), name("key", i))
			prefixes = append(prefixes, single(a.Object), single(a.Key))
		}
	}
	if len(places) > 0 {
		add(&ast.LocalAssignStmt{Names: places, Exprs: prefixes})
	}
	values := make([]string, max(len(s.Lhs), len(s.Rhs)))
	for i := range values {
		values[i] = name("value", i)
	}
	add(&ast.LocalAssignStmt{Names: values, Exprs: s.Rhs})
	for i := len(s.Lhs) - 1; i >= 0; i-- {
		value := ident(values[i], s)
		a, ok := s.Lhs[i].(*ast.AttrGetExpr)
		switch {
		case !ok:
			add(&ast.AssignStmt{Lhs: s.Lhs[i : i+1], Rhs: []ast.Expr{value}})
		case bounded(a.Key):
			a.Object = ident(name("object", i), s)
			add(&ast.AssignStmt{Lhs: s.Lhs[i : i+1], Rhs: []ast.Expr{value}})
		default:
			add(store(s, ident(name("object", i), s), ident(name("key", i), s), value))
		}
	}
	return do
}

func store(at ast.PositionHolder, args ...ast.Expr) ast.Stmt {
	call := &ast.FuncCallStmt{Expr: hidden(nameStore, at, args...)}
	place(call, at)
	return call
}

// hidden calls a function of the box for exactly one value.
func hidden(name string, at ast.PositionHolder, args ...ast.Expr) *ast.FuncCallExpr {
	call := &ast.FuncCallExpr{Func: ident(name, at), Args: args, AdjustRet: true}
	place(call, at)
	return call
}

func ident(name string, at ast.PositionHolder) *ast.IdentExpr {
	id := &ast.IdentExpr{Value: name}
	place(id, at)
	return id
}

// single cuts a list of values down to one, like parentheses around a call.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	case *ast.Comma3Expr:
		e.AdjustRet = true
	}
	return e
}

// place gives a new node the lines of the one it stands for.
func place(node, at ast.PositionHolder) {
	node.SetLine(at.Line())
	node.SetLastLine(at.LastLine())
}
