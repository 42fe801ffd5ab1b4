package i18n

import "flashlab/sim/trace"

// Say puts a phrase that was made outside of the screen into words: figures behind a
// light, names of actors, notes of a scenario, mistakes. Without words of its own the
// language takes the English ones.
func (s *Strings) Say(p trace.Phrase) string { return s.Panes.Say(p) }

// Say is that of Strings.
func (w *Panes) Say(p trace.Phrase) string {
	if own, ok := w.Phrases[p.Key]; ok && p.Key != "" {
		return Fill(own, p.Values...)
	}
	return p.String()
}

// phrasesZH are the Chinese words of phrases, by key. English has none here: it stands
// with whoever makes them.
var phrasesZH = map[string]string{
	// The figures behind a light.
	"sale.orders":    "订单 {orders} 个，初始库存 {start}",
	"sale.stock":     "库存 {stock}",
	"sale.per-user":  "单个用户最多 {most} 单",
	"sale.account":   "库存 {stock} + 订单 {orders}，初始 {start}",
	"flow.stocks":    "Redis 库存 {left}，数据库库存 {booked}",
	"flow.account":   "Redis 库存 {left} + 订单 {orders} + 在途 {way}，初始 {start}",
	"flow.answers":   "受理 {yes} 个，其中没有订单的 {lost} 个",
	"lab.unfinished": "没走完的 {waiting} 个，在途 {flying} 个",

	// Actors.
	"actor.buyer":     "买家 {n}",
	"actor.request":   "请求 {n}",
	"actor.click":     "点击 {n}",
	"actor.user":      "用户 {n}",
	"actor.consumer":  "消费者 {name}",
	"actor.statement": "用户 {n} 的对账",
	"watchdog":        "看门狗",
	"renewal":         "续期",
	"listener":        "监听",

	// Notes.
	"note.no-unique":      "没有 UNIQUE(user, voucher)",
	"note.refused":        "用户 {n} 的订单会被拒绝",
	"note.never-answered": "{actor} 的支付一直没有返回",

	// Mistakes.
	"lesson.near":      "没有课程 {name}：是不是 {names}？",
	"lesson.unknown":   "没有课程 {name}：可选 {names}",
	"variant.near":     "{lesson} 这一课没有写法 {name}：是不是 {names}？",
	"variant.unknown":  "{lesson} 这一课没有写法 {name}：可选 {names}",
	"exercise.near":    "没有练习 {name}：是不是 {names}？",
	"exercise.unknown": "没有练习 {name}：可选的有 {names}",
	"staged.near":      "{lesson} 这一课没有预设演示 {name}：是不是 {names}？",
	"staged.unknown":   "{lesson} 这一课没有预设演示 {name}：可选 {names}",
	"setting.range":    "{name}={value} 不行：{name} 要填 {min} 到 {max} 的整数",
	"setting.unknown":  "这里没有参数 {name}：可选 {names}",
	"setting.form":     "{text} 不是参数：要写成 名称=数字，例如 buyers=3",

	// Why a storm did not judge a light, or what broke it.
	"free.cut-off":     "有 {n} 个请求做到一半就被截断了",
	"free.on-the-way":  "途中出现过",
	"free.scheduler":   "要看的状态只有调度器才知道",
	"free.instant":     "要看同一时刻所有人在做什么，只有调度器才知道",
	"free.once":        "出现 1 次",
	"free.times":       "出现 {n} 次",
	"free.lease":       "谁的租约到期了，从外面看不出来",
	"free.unreleased":  "有请求还没来得及释放 {lock} 就被截断了",
	"free.left-behind": "{lock} 留在那里没有释放",
	"free.truncated":   "锁操作太多，没能全部记下来",
	"free.for-ever":    "{lock} 没有过期时间，也没有人会来删它了",
	"free.late":        "时间到了，还有 {n} 个请求没有结束",
	"free.unfinished":  "等了最长租约的十倍时间，仍有 {n} 个已受理的订单没有完成",
	"free.in-flight":   "还有 {n} 个已受理的订单在途",
	"free.server-lost": "服务器没能用到最后",
	"history.crowded":  "同时有 {n} 个调用，最多只能检查 {most} 个：并发放少一点（--concurrency {most}）",
	"history.time":     "检查超时",

	// Servers, and trouble with them.
	"server.sentinel": "哨兵 {list} 上的主节点 {name}",
	"server.cluster":  "集群 {list}",

	"trouble.lost":    "运行途中服务器断开了：",
	"trouble.stopped": "运行没法继续：",

	"trouble.refused":       "{server} 拒绝连接：启动服务器，或者检查 {flag} 的主机和端口",
	"trouble.unreachable":   "{server} 连不上（{why}）：检查 {flag} 的地址",
	"trouble.silent":        "{server} 没有及时响应：看看它是否在运行，中间有没有防火墙",
	"trouble.closed":        "{server} 断开了连接：看看服务器是否还在运行、是否要求 TLS（rediss://），再看看它的日志",
	"trouble.name":          "{server}：域名 {name} 解析不了，检查 {flag} 的地址",
	"trouble.tls":           "{server} 的加密连接建立失败（{why}）：它不支持 TLS 就改用 redis://，否则用 SSL_CERT_FILE 指定它的 CA 证书",
	"trouble.tls-silent":    "{server} 没有及时完成 TLS 握手：它不支持 TLS 就改用 redis://，否则看看它是否在运行",
	"trouble.no-socket":     "{server}：没有这个套接字，启动服务器，或者检查 {flag} 的路径",
	"trouble.socket-rights": "{server}：没有权限打开这个套接字，需要它的读写权限",
	"trouble.no-redis":      "{server} 用的不是 Redis 协议：检查 {flag} 的主机和端口",
	"trouble.no-master":     "{server}：没有哨兵认识这个主节点，检查 {flag} 的名称和地址",
	"trouble.no-sentinel":   "{server}：那里不是哨兵，是普通服务器，把 --redis-sentinel 换成 --redis",
	"trouble.no-slots":      "{server}：没有节点给出槽位分布，启动集群，或者检查 {flag} 的地址",
	"trouble.no-cluster":    "{server} 不是集群：把 --redis-cluster 换成 --redis",
	"trouble.cluster-node":  "{server} 是集群里的一个节点：把 --redis 换成 --redis-cluster 主机:端口,...",
	"trouble.cluster-down":  "{server}：集群不可用，有的槽位没有节点负责，先修好它（redis-cli --cluster check）",
	"trouble.slots":         "{server}：一条命令里的键落在不同的槽位，在集群里它们要带相同的哈希标签（hash tag）",

	"trouble.password-wanted":  "{server} 需要密码：写进 URL（redis://:密码@主机），或者放进环境变量 FLASHLAB_REDIS_PASSWORD",
	"trouble.password-wrong":   "{server} 不接受这个用户名或密码：检查它们是否正确，用户是否已启用",
	"trouble.no-password":      "{server} 没有设密码，这里却给了一个：去掉它",
	"trouble.rights":           "{server}：这个用户缺少实验需要的权限（{answer}），用 ACL SETUSER 用户名 ~flashlab:* &flashlab:* +@all -@dangerous +info 授权",
	"trouble.database":         "{server} 没有这个编号的数据库：把编号从 URL 里去掉",
	"trouble.clients":          "{server} 的连接数已达上限（maxclients）：关掉一些连接",
	"trouble.old":              "{server} 不认识一条命令（{answer}）：要用更新的 Redis，例如 DELEX 需要 8.4",
	"trouble.too-old":          "{server} 是 Redis {version}：在服务器上单步需要 7.0 以上，不加 --redis 就用内嵌引擎",
	"trouble.too-old-for-pace": "{server} 是 Redis {version}：在服务器上加快时间需要 7.0 以上，--pace 1 则按服务器自己的时间走",

	"trouble.replica":      "{server} 是只读副本：改用它的主节点地址，或者哨兵的地址（--redis-sentinel）",
	"trouble.orphan":       "{server} 是副本，和主节点失去了联系：改用主节点的地址",
	"trouble.few-replicas": "{server} 连着的副本太少，暂不接受写入（min-replicas-to-write）",
	"trouble.memory":       "{server} 的内存达到了 maxmemory，不再接受写入：腾出一些内存，或者调高上限",
	"trouble.disk":         "{server} 没法把数据存盘，因此不接受写入：看看它的日志",
	"trouble.loading":      "{server} 还在加载数据：稍后再试",
	"trouble.busy":         "{server} 正忙着执行别人的脚本：等它跑完，或者请管理员终止它",

	// What failed for a reason that only the server knows.
	"trouble.looking":  "{server}：初步检查失败（{answer}），看看管理员允许哪些操作",
	"trouble.joining":  "{server}：加入运行失败（{answer}），看看管理员允许哪些操作",
	"trouble.removing": "{server}：删除本次运行的键失败（{answer}），看看管理员允许哪些操作",
	"trouble.cleaning": "{server}：清理残留的键失败（{answer}），看看管理员允许哪些操作",
	"trouble.asking":   "{server}：读取服务器状态（INFO）失败（{answer}），看看管理员允许哪些操作",
	"trouble.timing":   "{server}：读取服务器时钟失败（{answer}），看看管理员允许哪些操作",
	"trouble.pinging":  "{server}：PING 失败（{answer}），看看管理员允许哪些操作",
	"trouble.mapping":  "{server}：CLUSTER INFO 失败（{answer}），看看管理员允许哪些操作",
	"trouble.trying":   "{server}：试用失败（{answer}），看看管理员允许哪些操作",
}
