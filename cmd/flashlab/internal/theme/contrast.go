package theme

// The bright colours of high-contrast, alike at every depth.
var (
	black   = rgb("#000000", "16", "0")
	white   = rgb("#ffffff", "231", "15")
	yellow  = rgb("#ffff00", "226", "11")
	cyan    = rgb("#00ffff", "51", "14")
	green   = rgb("#00ff00", "46", "10")
	magenta = rgb("#ff87ff", "213", "13")
	red     = rgb("#ff5f5f", "203", "9")
	blue    = rgb("#87afff", "111", "12")
)

var contrastGround = look{fg: white, bg: black}

// contrast paints its own black ground, so that it is the same on any terminal.
// Its seven colours repeat among the actors, the second time in bold.
var contrast = [roleCount]look{
	Text:       {fg: white, bg: black},
	Dim:        {fg: white, bg: black},
	Accent:     {fg: yellow, bg: black, bold: true},
	Title:      {fg: white, bg: black, bold: true},
	Frame:      {fg: white, bg: black},
	FrameFocus: {fg: yellow, bg: black, bold: true},

	ActorA: {fg: cyan, bg: black},
	ActorB: {fg: yellow, bg: black},
	ActorC: {fg: green, bg: black},
	ActorD: {fg: magenta, bg: black},
	ActorE: {fg: blue, bg: black},
	ActorF: {fg: white, bg: black},
	ActorG: {fg: cyan, bg: black, bold: true},
	ActorH: {fg: yellow, bg: black, bold: true},
	Env:    {fg: white, bg: black, bold: true},

	OK:         {fg: green, bg: black, bold: true},
	Warn:       {fg: yellow, bg: black, bold: true},
	Bad:        {fg: red, bg: black, bold: true},
	BadBlock:   {fg: black, bg: red, bold: true},
	CursorLine: {fg: black, bg: cyan},
	Key:        {fg: yellow, bg: black, bold: true},
	KeyText:    {fg: white, bg: black},
	TTLFull:    {fg: green, bg: black},
	TTLLow:     {fg: red, bg: black, bold: true},

	Code:        {fg: white, bg: black},
	CodeKeyword: {fg: magenta, bg: black, bold: true},
	CodeString:  {fg: green, bg: black},
	CodeComment: {fg: cyan, bg: black},

	Selected: {fg: black, bg: yellow, bold: true},
	Header:   {fg: black, bg: white, bold: true},
	Chart1:   {fg: cyan, bg: black},
	Chart2:   {fg: yellow, bg: black},
	Chart3:   {fg: green, bg: black},
}
