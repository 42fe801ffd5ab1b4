package luaunlock

import "embed"

// Source is the text of this package: a lab can show the very lines that run.
//
//go:embed *.go
var Source embed.FS
