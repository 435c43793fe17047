package protocol

// Lang is the language of the texts for the user and the model.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// In picks a text by language; everything but Chinese is English.
func (l Lang) In(chinese, english string) string {
	if l == Chinese {
		return chinese
	}
	return english
}

// Speaker is an Active that has a language of its own: every text about it is in this
// language, so that one conversation has one language.
type Speaker interface{ Speaks() Lang }

// LangOf returns the language of an Active.
func LangOf(active Active) Lang {
	if s, ok := active.(Speaker); ok {
		return s.Speaks()
	}
	return English
}
