package keyword

import "strings"

// korean judges a mention in a Korean sentence.
func (w window) korean() (rule string, end bool) {
	after := w.after
	for {
		rest, ok := cutAny(strings.TrimLeft(after, " "), "모드", "루프", "mode", "loop")
		if !ok {
			break
		}
		after = rest
	}
	// A path behind the order is hidden and says nothing.
	tail := strings.TrimRight(w.tail, " .!?？。~ㅋㅎ\n\x00")
	_, polite := endsAny(tail, "줄래", "줄래요", "줄 수 있어", "줄 수 있어요", "줄 수 있나요", "주실래요", "주시겠어요", "주실 수 있나요", "주겠어")
	sentence := w.before + " " + w.after
	switch {
	case hasAny(w.after, "지 마", "지마", "지 말", "지말", "말고", "없이", "않", "안 써", "안 쓰", "금지"),
		!polite && hasAny(sentence, "나요", "까요", "인가"),
		hasAny(sentence, "뭐야", "뭔데", "뭐지", "무엇", "어떻게", "설명", "사용법", "알려", "소개", "왜 ", "차이", "비교", "번역", "라는 ", "어제", "만약", "버튼"),
		w.question && !polite:
		return "", false
	}
	if w.cancel {
		return "cancel", false
	}
	object, marked := cutAny(after, "를", "을")
	object = strings.TrimLeft(object, " ")
	for {
		rest, ok := cutAny(object, "지금 ", "당장 ", "바로 ", "좀 ", "이제 ")
		if !ok {
			break
		}
		object = rest
	}
	if rest, ok := cutAny(object, "중지", "취소", "멈춰", "멈추", "꺼", "그만", "종료", "중단", "정지", "끝내", "꺼줘"); ok {
		if !startsAny(rest, "지", "는", "면", "했", "된", "됐", "되", "었", " 방법", "할", "하면", "하는", "졌", "진", "기") {
			return "cancel", true
		}
		return "", false
	}
	request := koreanRequest(tail) || polite
	if rest, ok := cutAny(after, "으로", "로"); ok {
		if request && !startsAny(strings.TrimLeft(rest, " "), "생긴", "발생", "인한", "인해", "실패", "된", "만든", "작성된", "돌린", "했", "작성한", "는") {
			return "manner", false
		}
		return "", false
	}
	if rest, ok := cutAny(object, "실행", "시작", "켜", "돌려", "써", "사용", "활성화", "가동", "작동", "구동", "이용", "진행", "켠", "온"); ok && (marked || strings.HasPrefix(after, " ") || after == object) {
		rest = strings.TrimLeft(rest, "을를 ")
		if startsAny(rest, "했", "한 ", "하면", "할 ", "하는", "방법", "중", "되", "된", "졌", "진 ", "법", "시 ", "파일", "오류", "에러", "문서", "테스트 ") {
			return "", false
		}
		if request || strings.Trim(rest, " .!\n") == "" {
			return "start", false
		}
		return "", false
	}
	if w.alone {
		return "alone", false
	}
	if !w.quoted && strings.Trim(w.before, " ,") == "" {
		rest, sep := cutAny(strings.TrimLeft(after, " "), ":", "：", ",", "，", "!", "！")
		if sep && strings.TrimSpace(rest) != "" && request {
			return "head", false
		}
	}
	return "", false
}

// koreanRequest reports the end of a sentence that asks for something.
func koreanRequest(tail string) bool {
	_, ok := endsAny(tail, "줘", "줘요", "주세요", "해라", "하자", "합시다", "해", "켜", "돌려", "시작", "실행", "가동", "부탁", "부탁해", "부탁합니다", "부탁드려요", "부탁드립니다", "바랍니다", "하세요", "해봐", "해 봐", "봐", "구현", "수정")
	return ok
}
