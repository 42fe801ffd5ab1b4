package scene

import "flashlab/lessons"

func cards() []lessons.Card { return nil }
