package world

import (
	"fmt"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"
)

// publishes returns a hook in front of another one, which may be nil. It lets
// PUBLISH reach the actors that listen in Topics, whose subscriptions the embedded
// Redis knows nothing of, and is called before each command, those of scripts
// included, on the goroutine of the actor that takes the step.
func (w *World) publishes(then server.Hook) server.Hook {
	// Connections after MULTI: what they queue is published by Observe, once the
	// transaction has been executed.
	queueing := map[*server.Peer]bool{}
	return func(c *server.Peer, cmd string, args ...string) bool {
		switch cmd {
		case "MULTI":
			queueing[c] = true
		case "EXEC", "DISCARD":
			delete(queueing, c)
		case "PUBLISH":
			if len(args) != 2 || queueing[c] {
				break
			}
			if n := w.Topics.Publish(args[0], args[1]); n > 0 {
				c.WriteInt(n)
				return true
			}
		}
		return then != nil && then(c, cmd, args...)
	}
}

// published hands out what a transaction has published, if it was executed.
func (w *World) published(cmds []redis.Cmder) {
	if len(cmds) < 3 || cmds[0].Name() != "multi" || cmds[len(cmds)-1].Err() != nil {
		return
	}
	for _, cmd := range cmds {
		if args := cmd.Args(); cmd.Name() == "publish" && cmd.Err() == nil && len(args) == 3 {
			w.Topics.Publish(fmt.Sprint(args[1]), fmt.Sprint(args[2]))
		}
	}
}
