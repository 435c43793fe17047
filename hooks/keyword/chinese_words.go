package keyword

// chinese holds the words that the rules for Chinese check.
var chinese = struct {
	endAll, polite, suffixes, secondSuffixes, requests, negations, reports, enders, behindEnd, endersBehind, asks, goesOn, in, inside, starters, asked, subjects, noSubject,
	things, headBreaks, heads, nouns, small, failures, breaks, follows, work, begs, objects, states, advice, stops, delegates, delegated, topics, describes, begins, past, wishes, jobs, results, setups parts
}{
	// endAll are orders that end every mode.
	endAll: parts{"取消所有模式", "停止所有模式", "退出所有模式", "关闭所有模式", "取消全部模式"},
	// polite are words that introduce a request.
	polite: parts{"请你", "请", "請你", "請", "帮我", "幫我", "麻烦你", "麻烦", "麻煩", "那就", "那么", "现在", "現在", "我们", "我們", "让我们", "咱们", "我要", "我想要", "我想", "我希望你", "我需要", "然后", "然後", "接着", "接著", "直接", "给我", "好的", "好",
		"继续", "繼續", "立即", "立刻", "马上", "馬上", "并且", "并", "再", "就", "先", "你能不能", "能不能", "你能", "能否", "可否", "你可以", "可以", "能", "重新", "最后", "今晚", "接下来", "下一步", "全程", "尝试", "试试"},
	// suffixes and secondSuffixes are part of the mention.
	suffixes: parts{"模式", "循环", "循環", "mode", "loop"}, secondSuffixes: parts{"模式", "循环", "循環", "方式"},
	// requests turn a question into a request.
	requests: parts{"你能", "能不能", "能否", "可否", "可以帮我", "能帮我", "麻烦", "请"},
	// negations are negative words.
	negations: parts{"不要", "别", "別", "不用", "不想", "不必", "无需", "無需", "禁止", "没有", "没", "沒", "勿", "不能", "不会", "不", "避免", "而不是"},
	// reports mark questions, conditions and reports.
	reports: parts{"什么", "什麼", "甚麼", "怎么", "怎麼", "怎样", "如何", "为什么", "為什麼", "为何", "解释", "解釋", "介绍", "介紹", "说明", "說明", "讲讲", "翻译", "翻譯", "如果", "当", "當", "昨天", "上次", "刚才", "刚刚", "区别", "什么是"},
	// enders are verbs that end a mode; endersBehind come after its name.
	enders: parts{"停止", "取消", "退出", "结束", "結束", "终止", "終止", "关闭", "關閉", "关", "停", "停下", "中止", "中断", "中斷", "停用"}, behindEnd: parts{"吧", "了", "并", "然后"},
	endersBehind: parts{"停", "关掉", "关闭", "关了", "關掉", "關閉", "取消", "结束", "退出"},
	// stops are enders after the name: ralph 停止.
	stops: parts{"停止", "取消", "退出", "结束", "結束", "终止", "終止", "关闭", "關閉", "停"},
	// asks mark a question about the mode, unless goesOn follows.
	asks: parts{"什么", "什麼", "怎么", "怎麼", "如何", "为什么", "區別", "区别", "意思"}, goesOn: parts{"，", ",", "：", ":", "来", "把"},
	// in and inside come before and after a manner ("in … mode").
	in: parts{"在", "于"}, inside: parts{"下面", "下", "里", "中"},
	// starters start a mode.
	starters: parts{"使用", "启动", "啟動", "启用", "啟用", "开启", "開啟", "打开", "打開", "进入", "進入", "切换到", "切換到", "切到", "转到", "改用", "换成", "运行", "運行", "执行", "執行", "激活", "开始", "開始", "采用",
		"来个", "来一个", "切换", "切換", "通过", "调用", "继续", "繼續", "恢复", "恢復", "開始使用", "开始使用", "套用", "利用", "用", "跑", "走", "以", "開", "开"},
	// delegates hand work to a mode if a word of delegated follows.
	delegates: parts{"让", "讓", "交给", "交給", "叫"}, delegated: parts{"来", "來", "去", "处理", "處理", "完成", "修", "搞", "做", "跑", "把", "将", "帮"},
	// topics begin a sentence with its task: 这个任务用 ralph 跑.
	topics: parts{"这个", "這個", "这次", "這次", "这些", "這些", "这项", "以下", "下面", "剩下", "剩余", "其余", "所有", "全部", "整个", "整個", "按照", "根据", "按", "依照"},
	// advice marks a sentence of a document, past marks a report.
	advice: parts{"对于受", "对于复", "对于大", "对于需", "对于长", "对于简", "对于多", "对于要", "對於", "时，", "時，", "时,", "时候", "場景", "场景", "情况下", "適合", "适合", "适用", "推荐", "推薦", "建议", "建議"}, past: parts{"失败了", "失敗了", "报错", "报的错", "出错"},
	asked: parts{"请", "請", "帮我", "幫我", "麻烦", "麻烦你", "现在"},
	// subjects begin the task of the mode; if one of noSubject follows, the text is about a thing instead.
	subjects: parts{"把", "将", "对", "对于", "给", "为", "替"}, noSubject: parts{"的按钮", "加", "添加", "\x00"}, things: parts{"用户", "用戶", "按钮", "函数"},
	// headBreaks separate a mode at the head of an order from the rest.
	headBreaks: parts{"：", ":", "，", ",", "！", "!", " "}, heads: parts{"把", "将", "请", "帮我", "给我", "直到", "对", "让"},
	// nouns are verbs that are just as often nouns.
	nouns: parts{"测试", "检查", "开发", "构建", "运行", "处理", "优化", "升级"},
	// describes begin a description of the mode; begins say that the mode begins.
	describes: parts{"并行执行", "並行執行", "并行处理", "自动执行", "持续执行", "全自动", "全自動", "自主", "多智能体", "多 agent", "完成度", "执行模式"}, begins: parts{"一下", "干", "冲", "実行", "起動", "激活", "启动", "啟動", "开启", "開啟", "开始", "開始", "走起", "开干", "起动", "運行", "运行"},
	// wishes begin a wish that something be made; jobs end an order that has no verb before them; results turn a verb
	// into a noun.
	wishes: parts{"我想要", "我要", "我需要", "我想做", "我们要", "我们需要"}, jobs: parts{"重构", "重構", "优化", "優化", "修复", "修復", "迁移", "遷移", "开发", "開發", "升级", "清理"}, results: parts{"结果", "失败", "报告", "覆盖", "通过", "报错", "的", "了", "后没", "后还", "后不", "后会", "原理", "流程", "建议", "计划", "教程", "问题", "文档", "方案", "过程", "状态", "条件", "逻辑", "机制", "者"}, setups: parts{"安装", "配置", "测试", "更新", "升级", "部署"},
	// begs ask for the work that follows; objects show that a word of nouns is a verb here.
	begs: parts{"全部", "全面", "全力", "快速", "尽快", "彻底", "立即", "马上", "一次性", "同时", "并行", "并行地", "批量", "请帮我", "請幫我", "帮我", "幫我", "帮忙", "幫忙", "请你", "請你", "请", "請", "给我", "給我"}, objects: parts{"一个", "一個", "一套", "这个", "這個", "这", "該", "该", "所有", "全部", "整个", "整個"},
	// states turn an abbreviated mode into a statement.
	states: parts{"是", "的", "有", "会", "會", "在", "和", "与", "與", "能", "不", "没", "沒", "了", "太", "很", "真", "比", "已", "还", "還", "就", "也", "吗", "嗎", "怎", "为", "為", "无", "無", "出", "什", "支持", "相关", "关键", "触发", "命令", "指令", "無效"},
	// small are words without meaning between a verb and a mode.
	small: parts{"一下", "一个", "一個", "omc", "omc的", "这个", "這個", "当前的", "当前", "正在运行的", "正在进行的", "上", "新的"},
	// failures mark the sentence as a report of a failure.
	failures: parts{"失败了", "失敗了", "报错", "崩溃", "卡住", "卡死", "没反应", "坏了", "不工作", "停不下来"},
	// breaks end a clause.
	breaks: parts{"，", ",", "。", ".", "！", "!", "；", ";", "：", ":", "？", "?", "、", "\n", ")", "）", "\x00"},
	// follows may follow the name of a mode.
	follows: parts{"来", "來", "去", "把", "将", "直到", "继续", "繼續", "帮", "给", "對", "对", "为", "進行", "进行", "吧", "并", "然后", "一直", "全部", "所有", "自动", "依次", "逐个", "同时", "跑", "搞", "看看", "让", "再", "好吗", "，"},
	// work are verbs of work.
	work: parts{"修", "改", "重构", "重構", "完成", "实现", "實現", "写", "寫", "做", "处理", "處理", "优化", "優化", "解决", "解決", "构建", "構建", "开发", "開發", "创建", "創建", "生成", "执行", "执", "测试", "測試", "检查", "檢查", "升级", "升級", "迁移",
		"遷移", "清理", "搭", "建", "添加", "增加", "新增", "集成", "接入", "配置", "安装", "研究", "规划", "梳理", "美化", "对接", "验证", "批量", "并行", "补", "補", "整理", "更新", "跑通", "翻译", "拆分", "合并", "替换", "调试", "部署", "发布", "编写", "设计", "审查", "分析", "排查", "消除", "删除", "移除", "统一", "继续", "繼續", "推进", "落地", "运行", "提升",
		"转换", "调整", "封装", "完善", "排除", "扫清", "搞定", "把", "将", "对整个", "对整個", "对这", "对所有", "对当前", "给这", "给所有", "给项目", "给整个", "不要停", "别停", "干活", "跑完", "跑到", "一直跑到", "一直做到", "加上", "加个", "加一个", "画", "制作", "製作", "實作", "实作", "撰写", "撰寫", "部屬", "除錯", "修正", "審查", "整合", "設計", "建立"},
}
