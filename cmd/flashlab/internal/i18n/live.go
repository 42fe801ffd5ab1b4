package i18n

// Live are the words about a server that somebody else operates.
type Live struct {
	Lost     string
	Retry    string // option
	Embedded string // option
}

var liveEN = Live{
	Lost: "The server does not answer", Retry: "try the server again", Embedded: "go on with the embedded engine",
}

var liveZH = Live{
	Lost: "服务器没有响应", Retry: "再试一次服务器", Embedded: "改用内嵌引擎继续",
}
