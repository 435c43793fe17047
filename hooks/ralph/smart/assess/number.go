package assess

import "strings"

// percent reads 75%, 75 ％, 75, 约75%, 75/100, 0.75 and 百分之七十五, and limits the result
// to 0..limit. ok is false if there is no number.
func percent(s string, limit int) (n int, ok bool) {
	s = strings.Map(halfWidth, s)
	if n, ok := chinesePercent(s); ok {
		return min(n, limit), true
	}
	at := strings.IndexAny(s, "0123456789")
	if at < 0 {
		return 0, false
	}
	if at > 0 && s[at-1] == '-' {
		return 0, true
	}
	text := s[at:]
	if at > 0 && s[at-1] == '.' {
		text = "0." + text
	}
	whole, rest := digits(text)
	var fraction string
	if after, found := strings.CutPrefix(rest, "."); found {
		_, rest = digits(after)
		fraction = after[:len(after)-len(rest)]
	}
	rest = strings.TrimSpace(rest)
	if of, found := strings.CutPrefix(rest, "/"); found {
		if total, _ := digits(strings.TrimSpace(of)); total > 0 {
			return min(100*whole/total, limit), true
		}
	}
	// A fraction: 0.75 and 1.0, but not 0.75%.
	if fraction != "" && !strings.HasPrefix(rest, "%") && (whole == 0 || whole == 1 && strings.Trim(fraction, "0") == "") {
		hundredths, _ := digits((fraction + "0")[:2])
		return min(100*whole+hundredths, limit), true
	}
	return min(whole, limit), true
}

// sureness reads a confidence in words.
func sureness(s string) (n int, ok bool) {
	switch Fold(s) {
	case "veryhigh", "extremelyhigh", "certain", "absolute", "verysure", "veryconfident", "full", "非常高", "很高", "极高", "十分确定", "非常确定", "确定":
		return 95, true
	case "high", "sure", "confident", "quitehigh", "fairlyhigh", "高", "较高", "比较高":
		return 85, true
	case "medium", "moderate", "fair", "average", "中", "中等", "一般":
		return 60, true
	case "low", "verylow", "低", "较低", "很低":
		return 30, true
	}
	return 0, false
}

// chinesePercent reads 百分之九十五 and 百分之95.
func chinesePercent(s string) (n int, ok bool) {
	_, text, found := strings.Cut(s, "百分之")
	if !found {
		return 0, false
	}
	if text != "" && text[0] >= '0' && text[0] <= '9' {
		n, _ = digits(text)
		return n, true
	}
	part, read := 0, false
	for _, r := range text {
		if digit := strings.Index("零一二三四五六七八九", string(r)); digit >= 0 {
			part, read = digit/len("零"), true
			continue
		}
		switch r {
		case '两':
			part, read = 2, true
			continue
		case '十':
			n, part, read = n+10*max(part, 1), 0, true
			continue
		case '百':
			n, part, read = n+100*max(part, 1), 0, true
			continue
		}
		break
	}
	return n + part, read
}

// halfWidth replaces full-width characters of numbers with ASCII.
func halfWidth(r rune) rune {
	switch {
	case r >= '０' && r <= '９':
		return r - '０' + '0'
	case r == '．':
		return '.'
	case r == '／':
		return '/'
	case r == '％', r == '﹪':
		return '%'
	}
	return r
}

// digits reads a whole number at the start of s. An absurdly long number counts as a
// billion.
func digits(s string) (n int, rest string) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if n < 1e9 {
			n = n*10 + int(s[i]-'0')
		}
	}
	return min(n, 1e9), s[i:]
}
