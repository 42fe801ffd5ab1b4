// Package prelude pins the background colour before bubbletea's package init asks
// the terminal for it: in a terminal that never answers, that question costs five
// seconds even for the version command.
//
// It works because Go initialises packages that are ready in the order of their
// import paths, and this module's path sorts before bubbletea's. The package must
// import nothing but lipgloss and os.
package prelude

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
