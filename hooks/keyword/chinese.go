package keyword

import "strings"

// window is what stands around a mention in a sentence of a script without
// words.
type window struct {
	// before and after are the sentence around the mention, as far as a rule
	// looks; tail is how the sentence ends.
	before, after, tail             string
	question, quoted, cancel, alone bool
}

// cutAny cuts the first of the prefixes that text begins with.
func cutAny(text string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(text, p); ok {
			return rest, true
		}
	}
	return text, false
}

func startsAny(text string, prefixes ...string) bool {
	_, ok := cutAny(text, prefixes...)
	return ok
}

func hasAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

func endsAny(text string, suffixes ...string) (rest string, ok bool) {
	for _, s := range suffixes {
		if rest, ok := strings.CutSuffix(text, s); ok {
			return rest, true
		}
	}
	return text, false
}

// lastClause is what follows the last comma.
func lastClause(text string) string {
	if i := strings.LastIndexAny(text, "，,：:、"); i >= 0 {
		for _, sep := range []string{"，", ",", "：", ":", "、"} {
			if rest, ok := strings.CutPrefix(text[i:], sep); ok {
				return rest
			}
		}
	}
	return text
}

// indexClause returns where words stand at the start of a clause, or -1.
func indexClause(text, words string) int {
	at := strings.Index(text, words)
	if at < 0 {
		return -1
	}
	return at - len(lastClause(text[:at]))
}

// politeChinese reports that a clause has only said what people say before they
// come to the point.
func politeChinese(text string) bool {
	for {
		text = strings.Trim(text, " \t\"'“”\u3000-*1234567890.")
		rest, ok := cutAny(text, "请你", "请", "請你", "請", "帮我", "幫我", "麻烦你", "麻烦", "麻煩", "那就", "那么", "现在", "現在", "我们", "我們", "让我们", "咱们", "我要", "我想要", "我想", "我希望你", "我需要", "然后", "然後", "接着", "接著", "直接",
			"给我", "好的", "好", "继续", "繼續", "立即", "立刻", "马上", "馬上", "并且", "并", "再", "就", "先", "你能不能", "能不能", "你能", "能否", "可否", "你可以", "可以", "能", "重新", "最后", "今晚", "接下来", "下一步", "全程", "尝试", "试试")
		if !ok {
			return text == ""
		}
		text = rest
	}
}

// chinese judges a mention in a Chinese sentence.
func (w window) chinese() (rule string, end bool) {
	clause := strings.TrimSpace(lastClause(w.before))
	after, _ := cutAny(strings.TrimLeft(w.after, " "), "模式", "循环", "循環", "mode", "loop")
	after, _ = cutAny(strings.TrimLeft(after, " "), "模式", "循环", "循環")
	after = strings.TrimRight(after, "\n ")
	request := hasAny(w.before, "你能", "能不能", "能否", "可否", "可以帮我", "能帮我", "麻烦", "请")
	asks := w.question || strings.HasSuffix(strings.TrimRight(w.tail, " ？?。.!！\n"), "吗") || strings.HasSuffix(strings.TrimRight(w.tail, " ？?。\n"), "嗎")
	switch {
	case hasAny(clause, "不要", "别", "別", "不用", "不想", "不必", "无需", "無需", "禁止", "没有", "没", "沒", "勿", "不能", "不会", "不", "避免", "而不是"),
		asks && !request,
		hasAny(w.before, "什么", "什麼", "甚麼", "怎么", "怎麼", "怎样", "如何", "为什么", "為什麼", "为何", "解释", "解釋", "介绍", "介紹", "说明", "說明", "讲讲", "翻译", "翻譯", "如果", "当", "當", "昨天", "上次", "刚才", "刚刚", "区别", "什么是"):
		return "", false
	}
	if w.cancel {
		if clause == "" || politeChinese(clause) {
			return "cancel", false
		}
		return "", false
	}
	if verb, ok := endsAny(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(trimSmall(clause)), "掉")), "停止", "取消", "退出", "结束", "結束", "终止", "終止", "关闭", "關閉", "关", "停", "停下", "中止", "中断", "中斷", "停用"); ok && politeChinese(verb) && (chineseEnd(after) || startsAny(after, "吧", "了", "并", "然后")) && !startsAny(after, "了吗") {
		return "cancel", true
	}
	if rest, ok := strings.CutPrefix(clause, "把"); ok && strings.TrimSpace(rest) == "" && startsAny(after, "停", "关", "關", "取消", "结束", "退出") {
		return "cancel", true
	}
	if hasAny(after, "什么", "什麼", "怎么", "怎麼", "如何", "为什么", "區別", "区别", "意思") && !chineseWork(after) && !startsAny(after, "，", ",", "：", ":", "来", "把") {
		return "", false
	}
	// 在自动驾驶模式下完成…, 以流水线模式处理…
	if lead, ok := endsAny(clause, "在", "于"); ok && politeChinese(lead) {
		if rest, ok := cutAny(after, "下面", "下", "里", "中"); ok && chineseWork(strings.TrimLeft(rest, "，, ")) {
			return "manner", false
		}
		return "", false
	}
	lead, ok := endsAny(trimSmall(clause), "用", "使用", "启动", "啟動", "启用", "啟用", "开启", "開啟", "打开", "打開", "进入", "進入", "切换到", "切換到", "切到", "转到", "改用", "换成", "运行", "運行", "执行", "執行", "激活", "开始", "開始", "跑", "走", "以", "采用", "開", "开", "来个", "通过", "调用")
	if ok {
		// 使用 ends with 用.
		lead = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(lead, "使"), "采"))
		_, asked := endsAny(lead, "请", "請", "帮我", "幫我", "麻烦", "麻烦你", "现在")
		subject := startsAny(lead, "把", "将", "对", "对于", "给", "为", "替") && !hasAny(lead, "的按钮", "加", "添加", "\x00")
		if (politeChinese(lead) || asked || subject) && !hasAny(lead, "用户", "用戶", "按钮", "函数") && chineseFollows(after) {
			return "start", false
		}
		return "", false
	}
	if !w.quoted && politeChinese(clause) && politeChinese(strings.NewReplacer("，", "", ",", "", "：", "", ":", "").Replace(w.before)) {
		if w.alone {
			return "alone", false
		}
		rest, sep := cutAny(after, "：", ":", "，", ",", "！", "!", " ")
		rest = strings.TrimSpace(rest)
		if failed(after) {
			return "", false
		}
		if sep && (chineseWork(rest) || startsAny(rest, "把", "将", "请", "帮我", "给我", "直到", "对", "让")) || chineseWork(rest) && !startsAny(rest, "测试", "检查", "开发", "构建", "运行", "处理", "优化", "升级") {
			return "head", false
		}
	}
	if w.alone {
		return "alone", false
	}
	return "", false
}

// trimSmall cuts the small words between a verb and what it is about.
func trimSmall(text string) string {
	text = strings.TrimSpace(text)
	for {
		rest, ok := endsAny(text, "一下", "一个", "一個", "omc", "omc的", "这个", "這個", "当前的", "当前", "正在运行的", "上", "新的")
		if !ok {
			return text
		}
		text = strings.TrimSpace(rest)
	}
}

func failed(text string) bool {
	return hasAny(text, "失败了", "失敗了", "报错", "崩溃", "卡住", "卡死", "没反应", "坏了", "不工作", "停不下来")
}

func chineseEnd(text string) bool {
	text = strings.TrimLeft(text, " ")
	return text == "" || startsAny(text, "，", ",", "。", ".", "！", "!", "；", ";", "：", ":", "？", "?", "、", "\n", ")", "）", "\x00")
}

// chineseFollows reports that what stands behind a mode leaves it a mode: 时, 的,
// 会 make a part of a statement of it.
func chineseFollows(text string) bool {
	text = strings.TrimLeft(text, " ")
	return chineseEnd(text) || chineseWork(text) || startsAny(text, "来", "來", "去", "把", "将", "直到", "继续", "繼續", "帮", "给", "對", "对", "为", "進行", "进行", "吧", "并", "然后", "一直", "全部", "所有", "自动", "依次", "逐个", "同时", "跑", "搞", "看看", "让", "再", "好吗", "，")
}

// chineseWork reports a verb of work at the start.
func chineseWork(text string) bool {
	return startsAny(strings.TrimLeft(text, " "), "修", "改", "重构", "重構", "完成", "实现", "實現", "写", "寫", "做", "处理", "處理", "优化", "優化", "解决", "解決", "构建", "構建", "开发", "開發", "创建", "創建", "生成", "执行", "执", "测试", "測試", "检查", "檢查",
		"升级", "升級", "迁移", "遷移", "清理", "搭", "建", "添加", "增加", "补", "補", "整理", "更新", "跑通", "翻译", "拆分", "合并", "替换", "调试", "部署", "发布", "编写", "设计", "审查", "分析", "排查", "消除", "删除", "移除", "统一", "继续", "繼續", "推进", "落地", "运行", "提升", "转换", "调整", "封装", "完善", "排除", "扫清", "搞定", "把", "将")
}
