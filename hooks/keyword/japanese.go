package keyword

import "strings"

// japanese judges a mention in a Japanese sentence.
func (w window) japanese() (rule string, end bool) {
	after := strings.TrimLeft(w.after, " \u3000")
	for {
		rest, ok := cutAny(after, "モード", "ループ", "mode", "loop")
		if !ok {
			break
		}
		after = strings.TrimLeft(rest, " \u3000")
	}
	tail := strings.TrimRight(w.tail, " \u3000。.!！？?\n、~ー")
	_, polite := endsAny(tail, "くれますか", "もらえますか", "いただけますか", "くれませんか", "もらえませんか", "いただけませんか", "くれる", "くれない", "もらえる", "お願いできますか")
	switch {
	case hasAny(w.after, "ないで", "するな", "使わ", "なしで", "せずに", "ずに直", "不要", "やめずに"),
		hasAny(w.before, "なぜ", "どうして", "もし", "「", "昨日", "前回"),
		hasAny(w.after, "とは", "って何", "使い方", "説明", "教えて", "違い", "について", "方法", "どうやって", "なぜ", "ですか", "でしょうか", "翻訳", "という", "場合", "とき", "ボタン", "機能", "意味"),
		w.question && !polite:
		return "", false
	}
	if w.cancel {
		return "cancel", false
	}
	object, _ := cutAny(after, "を", "は", "をすぐに")
	object = strings.TrimLeft(object, " 今すぐ")
	if rest, ok := cutAny(object, "止めて", "停止", "キャンセル", "中止", "終了", "オフ", "切って", "やめて", "解除", "ストップ", "停めて", "とめて"); ok && !strings.HasPrefix(after, "はい") && japaneseOrder(rest) {
		return "cancel", true
	}
	request := japaneseRequest(tail) || polite
	if rest, ok := cutAny(after, "で", "にして", "を使って", "を使い", "を使用して", "を利用して", "に切り替えて", "に入って", "にて"); ok {
		if request && !startsAny(rest, "発生", "起き", "起こ", "出た", "出る", "エラー", "失敗", "動か", "動い", "使っ", "定義", "は", "も", "の", "ある", "あった", "問題", "落ち", "クラッシュ", "壊れ", "管理", "生成され", "作られ", "作った", "書かれ", "保存", "い") {
			return "manner", false
		}
		return "", false
	}
	object, marked := strings.CutPrefix(after, "を")
	object = strings.TrimLeft(object, " ")
	if rest, ok := cutAny(object, "実行", "開始", "起動", "使って", "使用", "有効に", "有効化", "オン", "始め", "動か", "回し", "走らせ", "スタート", "発動", "立ち上げ"); ok && (marked || rest == "" || japaneseOrder(rest)) {
		if request || strings.Trim(rest, " 。！!\n") == "" || japaneseOrder(rest) && strings.Trim(rest, " 。！!\n") == "せよ" {
			if !startsAny(rest, "いる", "した", "しました", "すると", "しても", "時", "中", "後", "できな", "する", "い") {
				return "start", false
			}
		}
		return "", false
	}
	if w.alone {
		return "alone", false
	}
	if !w.quoted && strings.Trim(w.before, " \u3000、,よしでは") == "" {
		rest, sep := cutAny(w.after, "：", ":", "、", ",", "，", "！", "!", " ", "\u3000", "モード：", "モード:", "モード、", "ループ：", "ループ:", "モード ")
		if sep && strings.TrimSpace(rest) != "" && request {
			return "head", false
		}
	}
	return "", false
}

// japaneseOrder reports the rest of a verb that is an order: 停止して, 停止.
func japaneseOrder(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest == "" || startsAny(rest, "して", "せよ", "しろ", "お願い", "を", "、", "。", "！", "!", "\n", "くださ", "くれ", "ほし", "に", "て", "しよう", "しましょう", ",", "し、") && !startsAny(rest, "してい", "しても", "ている", "てい", "ても", "には", "を押")
}

// japaneseRequest reports the end of a sentence that asks for something.
func japaneseRequest(tail string) bool {
	tail, _ = endsAny(tail, "ください", "下さい", "くれ", "ね", "よ", "ほしい", "欲しい")
	_, ok := endsAny(strings.TrimRight(tail, " "), "て", "で", "お願い", "お願いします", "頼む", "頼みます", "ましょう", "しよう", "よう", "しろ", "ろ", "せよ", "なさい", "実行", "開始", "起動", "修正", "作成", "実装", "よろしく")
	return ok
}
