package keyword

// korean holds the words that the rules for Korean check.
var korean = struct {
	suffixes, polite, negations, questions, reports, objects, soon, enders, notEnd, topics, excludes, by, notBy, starters, states, headBreaks, requests, works, light, behindLight, colons, statements, begs, advice, endings, features, defects, fixes, describes, determiners, creations parts
}{
	// suffixes are part of the mention.
	suffixes: parts{"모드", "루프", "mode", "loop"},
	// polite turn a question into a request.
	polite: parts{"줄래", "줄래요", "줄 수 있어", "줄 수 있어요", "줄 수 있나요", "주실래요", "주시겠어요", "주실 수 있나요", "주겠어"},
	// negations are negative words.
	negations: parts{"지 마", "지마", "지 말", "지말", "말고", "없이", "않", "안 써", "안 쓰", "금지"},
	// questions mark a question.
	questions: parts{"나요", "까요", "인가"},
	// reports mark questions, conditions and reports.
	reports: parts{"뭐야", "뭔데", "뭐지", "무엇", "어떻게", "설명", "사용법", "알려", "소개", "왜 ", "차이", "비교", "번역", "라는 ", "어제", "만약", "버튼"},
	// objects mark the object that starts or ends.
	objects: parts{"를", "을"}, soon: parts{"지금 ", "당장 ", "바로 ", "좀 ", "이제 "},
	// enders end a mode; notEnd turn the text into a statement.
	enders: parts{"중지", "취소", "멈춰", "멈추", "꺼", "그만", "종료", "중단", "정지", "끝내", "꺼줘", "끄", "해제", "비활성화"}, notEnd: parts{"고 켜", "고 다시 켜", "지", "는", "면", "했", "된", "됐", "되", "었", " 방법", "할", "하면", "하려", "하는", "졌", "진", "기"},
	// topics mark the subject of a sentence; excludes say to work without the mode.
	topics: parts{"는", "은", "를", "을"}, excludes: parts{"빼", "대신", "제외", "없이", "말고", "아닌", "나가", "벗어나", "관두", "버리", "없애"},
	// by introduce a manner; notBy mark a report.
	by: parts{"으로", "로", "한테 맡", "에게 맡"}, notBy: parts{"생긴", "발생", "인한", "인해", "실패", "된", "만든", "작성된", "돌린", "했", "작성한", "는"},
	// starters start a mode; states turn the text into a statement.
	starters: parts{"실행", "시작", "켜", "돌려", "써", "사용", "활성화", "가동", "작동", "구동", "이용", "진행", "켠", "온"},
	states:   parts{"안 ", "했", "한 ", "하면", "할 ", "하는", "방법", "중", "되", "된", "졌", "진 ", "법", "시 ", "파일", "오류", "에러", "문서", "테스트 "},
	// headBreaks separate a mode at the head of an order from the rest.
	headBreaks: parts{":", "：", ",", "，", "!", "！", "야 ", "아 "},
	// requests end a sentence that asks for something.
	requests: parts{"켜", "돌려", "시작", "실행", "가동", "하세요", "구현", "수정"},
	// begs end such a sentence in a way that titles and advice never do.
	begs: parts{"줘", "줘요", "주세요", "주십시오", "해라", "하라", "하자", "합시다", "해", "부탁", "부탁해", "부탁합니다", "부탁드려요", "부탁드립니다", "바랍니다", "해봐", "해 봐", "봐", "고쳐", "만들어", "끝내", "바꿔", "넣어", "지워", "시켜", "가자", "갑시다", "고고", "ㄱㄱ", "ㄱ", "마저", "맡겨", "잡아"},
	// advice marks a sentence of a document.
	advice: parts{"때 ", "때는", "때에", "경우", "려면", "에는 ", "싶으면", "싶다면", "다면 ", "또는", "혹은"},
	// endings follow one of enders in an order.
	endings: parts{"해", "하자", "하고", "하세요", "하라", "합", "시켜", "시키", "줘", "주", "좀", "부탁", "버려", "둬", "놔", "고", "어", "라", "세", "게", "자", ".", "!", "~", ",", ")", "?", "。", "！", "\n", "\x00"},
	// features are parts of the mode, describes are words of its description: such a
	// sentence is about the mode.
	fixes:    parts{"확인", "테스트", "리뷰", "검토", "점검", "고쳐", "수정", "삭제", "제거", "설치", "개선", "분석"},
	features: parts{"로그 ", "로그를", "이름 ", "이름을", "같은", "처럼", "기능", "모드", "루프", "상태", "키워드", "스킬", "플러그인", "명령", "설정", "지원", "설치", "훅", "로직", "구조", "관련", "및 ", "사용 ", "사용법", "취소", "중지", "종료", "옵션", "커맨드", "트리거", "감지", "state", "hook"},
	defects:  parts{"버그", "업데이트", "파일", "코드", "문서", "이슈", "문제", "에러", "오류"}, describes: parts{"지속", "까지 반복", "QA 반복", "qa 반복", "모드", "에이전트", "오케스트", "자율", "병렬 실행", "병렬 처리", "키워드", "때까지 반복"},
	// determiners begin a task; creations end one that creates something.
	determiners: parts{"이 ", "그 ", "저 ", "모든", "전체", "전부", "다음", "위 ", "위의", "아래", "나머지", "남은", "우리", "현재", "지금", "새 ", "새로운", "간단한", "\x00"}, creations: parts{"개발", "구현", "제작", "만들기", "빌드", "구축"},
	// works end an order without a verb; light are verbs without a meaning of their own; behindLight end the clause of
	// such a verb.
	works:  parts{"진행", "작업", "완료", "작성", "개발", "추가", "제거", "삭제", "정리", "개선", "최적화", "리팩토링", "분석", "검토", "리뷰", "적용", "처리", "해결", "빠르게", "병렬로", "때까지", "전환", "변경", "리팩터링", "리팩토링하기", "업데이트", "마이그레이션", "설계", "구축", "빌드", "디버그", "디버깅", "계속", "끝까지", "조사", "교체", "통합", "이전", "생성", "배포", "점검", "고치기", "만들기", "이거", "전부", "완성", "보강", "추가하기"},
	light:  parts{"해주세요", "해 주세요", "해줄래", "해줘요", "해줘", "해 줘", "합시다", "하자", "해라", "해봐", "가자", "갑시다", "ㄱㄱ", "고고", "부탁해", "부탁드려요", "부탁드립니다", "부탁합니다"},
	colons: parts{":", "："}, statements: parts{"다", "요", "음", "함", "됨", "임", "까", "나", "네", "지", "죠"},
	behindLight: parts{" ", ".", ",", "!", "?", "~", "。", "，", "！", "\n", ":", "：", "\x00"},
}
