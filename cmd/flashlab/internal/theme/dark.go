package theme

// darkGround is the ground the dark colours are chosen for and pictures are
// painted on. In a terminal the user's own shows through.
var darkGround = look{fg: rgb("#e6edf3", "", ""), bg: rgb("#0f141a", "", "")}

// dark avoids middle greys and saturated blues, which vanish on a projector.
var dark = [roleCount]look{
	Text:       {},
	Dim:        {fg: rgb("#b1bcc8", "250", "7")},
	Accent:     {fg: rgb("#79c0ff", "117", "14"), bold: true},
	Title:      {fg: rgb("#ffffff", "231", "15"), bold: true},
	Frame:      {fg: rgb("#8fa3b8", "109", "7")},
	FrameFocus: {fg: rgb("#79c0ff", "117", "14"), bold: true},

	ActorA: {fg: rgb("#58a6ff", "75", "12")},
	ActorB: {fg: rgb("#ffa657", "215", "11")},
	ActorC: {fg: rgb("#7ee787", "120", "10")},
	ActorD: {fg: rgb("#d2a8ff", "183", "13")},
	ActorE: {fg: rgb("#f2cc60", "221", "3")},
	ActorF: {fg: rgb("#56d4dd", "80", "14")},
	ActorG: {fg: rgb("#ff9bce", "211", "5")},
	ActorH: {fg: rgb("#d0b48c", "180", "6")},
	Env:    {fg: rgb("#c5d1de", "252", "15"), bold: true},

	OK:         {fg: rgb("#56d364", "77", "10")},
	Warn:       {fg: rgb("#ffd33d", "220", "11")},
	Bad:        {fg: rgb("#ff6b64", "203", "9"), bold: true},
	BadBlock:   {fg: rgb("#ffffff", "231", "15"), bg: rgb("#b62324", "124", "1"), bold: true},
	CursorLine: {fg: rgb("#ffffff", "231", "15"), bg: rgb("#1f3a5f", "24", "4")},
	Key:        {fg: rgb("#79c0ff", "117", "14"), bold: true},
	KeyText:    {fg: rgb("#c5d1de", "252", "7")},
	TTLFull:    {fg: rgb("#3fbfb0", "79", "6")},
	TTLLow:     {fg: rgb("#ff9f43", "208", "11"), bold: true},

	Code:        {},
	CodeKeyword: {fg: rgb("#d2a8ff", "183", "13")},
	CodeString:  {fg: rgb("#a5d6a7", "151", "10")},
	CodeComment: {fg: rgb("#9fb3c8", "110", "6")},

	Selected: {fg: rgb("#ffffff", "231", "0"), bg: rgb("#2f5fa8", "25", "14"), bold: true},
	Header:   {fg: rgb("#ffffff", "231", "0"), bg: rgb("#30475e", "238", "7"), bold: true},
	Chart1:   {fg: rgb("#58a6ff", "75", "12")},
	Chart2:   {fg: rgb("#ffa657", "215", "11")},
	Chart3:   {fg: rgb("#7ee787", "120", "10")},
}
