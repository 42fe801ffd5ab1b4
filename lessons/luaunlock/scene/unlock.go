package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/shop/unlockbench"
	"flashlab/lua"
)

// unlockExercise is unlock.lua, written by the learner: it runs in the place of the
// shop's own script, in every schedule of two and of three requests.
func unlockExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "unlock", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "Write unlock.lua",
			ZH: "写出 unlock.lua",
		},
		Task: lessons.Text{
			EN: "KEYS[1] is the lock, ARGV[1] the token of whoever releases it. Delete the lock if it " +
				"still holds that token, and leave it alone otherwise. Answer 1 when you have deleted it, " +
				"0 when there is no lock any more, -1 when somebody else has it.",
			ZH: "KEYS[1] 是锁，ARGV[1] 是解锁者的唯一值。锁里还是这个值才删，不是就别动。" +
				"删了返回 1，锁已经没了返回 0，锁换了人返回 -1。",
		},
		Hints: []lessons.Text{
			{
				EN: "Two questions have to be answered before DEL: is there a lock at all, and whose is it?",
				ZH: "DEL 之前要弄清两件事：锁还在不在，在的话是谁的。",
			},
			{
				EN: "redis.call('GET', KEYS[1]) answers both: false if there is no lock, else the token in it.",
				ZH: "redis.call('GET', KEYS[1]) 两件事都能回答：没有锁返回 false，有锁返回里面的值。",
			},
			{
				EN: "Begin with:\nlocal token = redis.call('GET', KEYS[1])\nif not token then return 0 end",
				ZH: "开头这样写：\nlocal token = redis.call('GET', KEYS[1])\nif not token then return 0 end",
			},
		},
		Fix: &lessons.Fix{
			Form: lessons.Script, File: "unlock.lua",
			Shipped: "-- KEYS[1]  the lock        ARGV[1]  the token of whoever wants to release it\n" +
				"-- Answers   1 released   0 there is no lock   -1 somebody else has it\n" +
				"return redis.call('DEL', KEYS[1])\n",
			Solution: lua.Sources()["unlock"],
			Naive: "return redis.call('GET', KEYS[1])\n" +
				exercise.NextCall + "\n" +
				"if ARGV[2] == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0\n",
			Judge: func(text string) (*lessons.Bench, error) {
				return unlockbench.Bench(text, script, -1)
			},
		},
		Learned: lessons.Text{
			EN: "Compare and delete must be one step. In two, a lease can run out between them, and what " +
				"you delete then is somebody else's.",
			ZH: "比较和删除必须是一步。分成两步，中间租期可能到点，删掉的就是别人的锁。",
		},
	}
}
