// Package e2e tests the finished program in real terminals: in tmux, which keeps a
// screen that can be looked at, and in bare pseudo terminals, which answer nothing.
//
// It holds tests only. They type and look as a person does and must not know how
// the program is made.
package e2e
