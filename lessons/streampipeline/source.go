package streampipeline

import (
	"embed"

	"flashlab/lua"
)

// Source is the text of this package: a lab can show the very lines that run.
//
//go:embed *.go
var Source embed.FS

// Scripts returns the source of every script that a variant runs, by name. They
// are loaded before the sale begins.
func Scripts() map[string]string {
	shared := lua.Sources()
	return map[string]string{
		"seckill":              shared["seckill"],
		"dead_letter":          shared["dead_letter"],
		"unlock":               shared["unlock"],
		"seckill_memory_queue": memoryQueueScript,
		"seckill_half_done":    halfDoneScript,
		"seckill_check_last":   checkLastScript,
	}
}
