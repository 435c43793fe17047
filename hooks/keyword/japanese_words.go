package keyword

// japanese holds the words that the rules for Japanese check.
var japanese = struct {
	suffixes, polite, negations, reports, asks, objects, enders, by, notBy, starters, states, headBreaks, orders, noOrders, softeners, requests, features, plain, notPlain, past, colons, particles, noParticles, describes, goesOn, verbs, light, determiners, creations, advice parts
}{
	// suffixes are part of the mention.
	suffixes: parts{"モード", "ループ", "mode", "loop"},
	// polite turn a question into a request.
	polite: parts{"くれますか", "もらえますか", "いただけますか", "くれませんか", "もらえませんか", "いただけませんか", "くれる", "くれない", "もらえる", "お願いできますか"},
	// negations are negative words.
	negations: parts{"ないで", "するな", "使わ", "なしで", "せずに", "ずに直", "不要", "やめずに"},
	// reports (before the mention) and asks (after it) mark questions, conditions and reports.
	reports: parts{"なぜ", "どうして", "もし", "「", "昨日", "前回", "場合", "ときは", "際は", "たい時", "たいとき", "または", "もしくは"}, asks: parts{"とは", "って何", "使い方", "説明", "教えて", "違い", "について", "方法", "どうやって", "なぜ", "ですか", "でしょうか", "翻訳", "という", "場合", "とき", "ボタン", "意味"}, features: parts{"キーワード", "対応", "コマンド", "スキル", "プラグイン", "設定", "機能", "の機能"},
	// objects mark the object that ends.
	objects: parts{"を", "は", "をすぐに"},
	// enders end a mode.
	enders: parts{"止めて", "停止", "キャンセル", "中止", "終了", "オフ", "切って", "やめて", "解除", "ストップ", "停めて", "とめて"},
	// by introduce a manner; notBy mark a report.
	by:    parts{"で", "にして", "を使って", "を使い", "を使用して", "を利用して", "に切り替えて", "に入って", "にて", "に任せ", "にまかせ", "に移行して"},
	notBy: parts{"運転", "走行", "発生", "起き", "起こ", "出た", "出る", "エラー", "失敗", "動か", "動い", "使っ", "定義", "は", "も", "の", "ある", "あった", "問題", "落ち", "クラッシュ", "壊れ", "管理", "生成され", "作られ", "作った", "書かれ", "保存", "い"},
	// starters start a mode; states turn the text into a statement.
	starters: parts{"実行", "開始", "起動", "使って", "使用", "有効に", "有効化", "オン", "始め", "動か", "回し", "走らせ", "スタート", "発動", "立ち上げ"}, states: parts{"いる", "した", "しました", "すると", "しても", "時", "中", "後", "できな", "する", "い"},
	// headBreaks separate a mode at the head of an order from the rest.
	headBreaks: parts{"：", ":", "、", ",", "，", "！", "!", " ", "\u3000", "モード：", "モード:", "モード、", "ループ：", "ループ:", "モード "},
	// particles show that the sentence is a statement about the mode or a feature of it; noParticles only look like
	// particles. describes occur in a description.
	particles: parts{"の", "は", "が", "を", "も", "と", "や"}, noParticles: parts{"のこり", "はや", "はじ", "もう", "もっと", "とりあえず", "やって", "やり", "やる", "やろ"}, describes: parts{"アイデア", "モード", "エージェント", "繰り返", "並列実行", "自律"},
	// goesOn end an order without a verb. verbs end an order before the mode; light are
	// verbs without a meaning of their own.
	// advice marks a sentence of a document.
	advice: parts{"作業には", "タスクには", "変更には", "プロジェクトには", "なら"}, goesOn: parts{"続き", "続行", "再開", "全部", "まで", "から", "一式", "改修", "作り", "書き換え", "テスト", "レビュー", "チェック"}, verbs: parts{"して", "直して", "作って", "って", "いて", "んで", "えて", "けて", "せて", "めて", "げて", "れて", "べて", "お願い", "お願いします"},
	determiners: parts{"すべて", "全ての", "全部", "この", "これ", "残り", "全テスト", "次の"}, creations: parts{"作る", "作成する", "開発する", "構築する"},
	light: parts{"してください", "して下さい", "して", "しよう", "やって", "お願いします", "お願い", "で"},
	// orders turn a verb into an order; noOrders do the opposite.
	orders: parts{"して", "せよ", "しろ", "お願い", "を", "、", "。", "！", "!", "\n", "くださ", "くれ", "ほし", "に", "て", "しよう", "しましょう", ",", "し、"}, noOrders: parts{"してい", "しても", "ている", "てい", "ても", "には", "を押"},
	// softeners follow a request.
	softeners: parts{"ください", "下さい", "くれ", "ね", "よ", "ほしい", "欲しい"},
	// requests end a sentence that asks for something.
	requests: parts{"て", "で", "お願い", "お願いします", "頼む", "頼みます", "ましょう", "しよう", "よう", "しろ", "ろ", "せよ", "なさい", "実行", "開始", "起動", "修正", "作成", "実装", "よろしく", "追加", "削除", "更新", "改善", "対応", "移行", "最適化", "リファクタリング", "リファクタ", "開発", "構築", "設計", "調査", "分析", "整理", "必要があります", "必要です", "たいです", "たい"},
	// plain are endings of a verb in dictionary form, which is an order after a colon; notPlain only look like them.
	plain: parts{"く", "る", "す", "う", "む", "ぶ", "つ", "ぐ"}, notPlain: parts{"いる", "です", "ます", "ある", "なる", "れる", "できる", "だろう"},
	// past end a report.
	past: parts{"た", "です", "ます", "ません", "ない", "か"}, colons: parts{":", "："},
}
