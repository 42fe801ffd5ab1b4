package theme

// lightGround is the ground the light colours are chosen for and pictures are
// painted on. In a terminal the user's own shows through.
var lightGround = look{fg: rgb("#1c2126", "", ""), bg: rgb("#ffffff", "", "")}

// light keeps to dark, saturated colours. With 16 colours, yellow and cyan are
// left to the last actors: on white they are the hardest to read.
var light = [roleCount]look{
	Text:       {},
	Dim:        {fg: rgb("#4b5560", "240", "0")},
	Accent:     {fg: rgb("#0550ae", "25", "4"), bold: true},
	Title:      {fg: rgb("#000000", "16", "0"), bold: true},
	Frame:      {fg: rgb("#5b6b7c", "60", "0")},
	FrameFocus: {fg: rgb("#0550ae", "25", "4"), bold: true},

	ActorA: {fg: rgb("#0550ae", "25", "4")},
	ActorB: {fg: rgb("#9a3c00", "130", "5")},
	ActorC: {fg: rgb("#116329", "28", "2")},
	ActorD: {fg: rgb("#6f2dbd", "91", "0")},
	ActorE: {fg: rgb("#7a5800", "94", "6")},
	ActorF: {fg: rgb("#0b6670", "23", "4")},
	ActorG: {fg: rgb("#a3195b", "125", "5")},
	ActorH: {fg: rgb("#4f4a1c", "58", "3")},
	Env:    {fg: rgb("#24292f", "235", "0"), bold: true},

	OK:         {fg: rgb("#116329", "22", "2"), bold: true},
	Warn:       {fg: rgb("#8a4b00", "94", "5"), bold: true},
	Bad:        {fg: rgb("#c1121f", "124", "1"), bold: true},
	BadBlock:   {fg: rgb("#ffffff", "231", "15"), bg: rgb("#c1121f", "124", "1"), bold: true},
	CursorLine: {fg: rgb("#000000", "16", "15"), bg: rgb("#cfe3ff", "153", "4")},
	Key:        {fg: rgb("#0550ae", "25", "4"), bold: true},
	KeyText:    {fg: rgb("#39424c", "238", "0")},
	TTLFull:    {fg: rgb("#0b6670", "23", "2")},
	TTLLow:     {fg: rgb("#b34700", "130", "1"), bold: true},

	Code:        {},
	CodeKeyword: {fg: rgb("#6f2dbd", "91", "5")},
	CodeString:  {fg: rgb("#116329", "22", "2")},
	CodeComment: {fg: rgb("#4b6178", "60", "4")},

	Selected: {fg: rgb("#ffffff", "231", "15"), bg: rgb("#0550ae", "25", "4"), bold: true},
	Header:   {fg: rgb("#ffffff", "231", "15"), bg: rgb("#24415f", "24", "0"), bold: true},
	Chart1:   {fg: rgb("#0550ae", "25", "4")},
	Chart2:   {fg: rgb("#9a3c00", "130", "5")},
	Chart3:   {fg: rgb("#116329", "28", "2")},
}
