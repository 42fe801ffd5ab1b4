package i18n

// Panes are the words inside panes.
type Panes struct {
	Timeline string
}

var panesEN = Panes{
	Timeline: "Timeline",
}

var panesZH = Panes{
	Timeline: "时间线",
}
