// Package all imports every lesson, for the program and for tests that go over
// all of them. It must not hold anything else.
package all

import (
	_ "flashlab/lessons/luaunlock/scene"
	_ "flashlab/lessons/misdeletion/scene"
	_ "flashlab/lessons/oversell/scene"
	_ "flashlab/lessons/setnx/scene"
	_ "flashlab/lessons/streampipeline/scene"
	_ "flashlab/lessons/synchronized/scene"
	_ "flashlab/lessons/watchdog/scene"
)
