package theme

// mono serves the theme of that name, and any theme where colours are refused:
// NO_COLOR speaks of colour, not of bold, underline and reverse.
var mono = [roleCount]look{
	Accent:      {bold: true},
	Title:       {bold: true},
	FrameFocus:  {bold: true},
	OK:          {bold: true},
	Warn:        {underline: true},
	Bad:         {bold: true, underline: true},
	BadBlock:    {bold: true, reverse: true},
	CursorLine:  {underline: true},
	Key:         {bold: true},
	TTLLow:      {bold: true},
	CodeKeyword: {bold: true},
	Selected:    {reverse: true},
	Header:      {reverse: true},
}

// monoGround is ink on paper, for pictures.
var monoGround = look{fg: rgb("#000000", "", ""), bg: rgb("#ffffff", "", "")}
