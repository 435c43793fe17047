package protocol

import "errors"

// Lang is the language of the texts for the user and the model.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// In picks a text by language; for every language but Chinese it picks English.
func (l Lang) In(chinese, english string) string {
	if l == Chinese {
		return chinese
	}
	return english
}

// Speaker is an Active with its own language: every text about it is in this language, so that a conversation does not
// mix languages.
type Speaker interface{ Speaks() Lang }

// LangOf returns the language of an Active.
func LangOf(active Active) Lang {
	if s, ok := active.(Speaker); ok {
		return s.Speaks()
	}
	return English
}

// Bilingual is an error that has a text in each language.
type Bilingual interface {
	error
	In(lang Lang) string
}

// Said is a Bilingual error, about another one if Err is set.
type Said struct {
	Chinese, English string
	Err              error
}

func (s *Said) Error() string { return s.In(English) }
func (s *Said) Unwrap() error { return s.Err }

// In implements Bilingual.
func (s *Said) In(lang Lang) string {
	text := lang.In(s.Chinese, s.English)
	if s.Err != nil {
		text += ": " + ErrorIn(lang, s.Err)
	}
	return text
}

// ErrorIn returns the text of an error in a language. What wraps a Bilingual error has an
// English text only, so it is left out in Chinese.
func ErrorIn(lang Lang, err error) string {
	if said, ok := errors.AsType[Bilingual](err); ok && lang == Chinese {
		return said.In(lang)
	}
	return err.Error()
}
