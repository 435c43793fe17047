package normalize

// Rule is the stable id of the rule that an input violates. It appears in the ledger and
// in explain; scripts may rely on it.
type Rule string

// The rules. All but the last five are about the text and are the same for every hook,
// unless a comment says otherwise.
const (
	// RuleEmpty: nothing, or nothing but white space, before the end of input.
	RuleEmpty Rule = "empty"
	// RuleTruncated: the input ended inside the value.
	RuleTruncated Rule = "truncated"
	// RuleTimeout: the value was not complete in time (Limits.Wait).
	RuleTimeout Rule = "timeout"
	// RuleTooLarge: the value does not end within Limits.Size.
	RuleTooLarge Rule = "too-large"
	// RuleUnreadable: the reader failed.
	RuleUnreadable Rule = "unreadable"
	// RuleBOM: a byte order mark; only for a fail-closed hook, because others skip it.
	RuleBOM Rule = "bom"
	// RuleNotAnObject: the first byte of the value is not a brace.
	RuleNotAnObject Rule = "not-an-object"
	// RuleInvalidUTF8: the text is not UTF-8; only for a fail-closed hook, others
	// read U+FFFD in its place.
	RuleInvalidUTF8 Rule = "invalid-utf8"
	// RuleSyntax: the text is not JSON. Half a surrogate pair does not violate it; it
	// counts as U+FFFD.
	RuleSyntax Rule = "syntax"
	// RuleTooDeep: nested more than 10,000 levels deep.
	RuleTooDeep Rule = "too-deep"
	// RuleDuplicateName: an object, at any depth, contains a name twice.
	RuleDuplicateName Rule = "duplicate-name"
	// RuleTrailingData: text follows the value. Read checks that only for a fail-closed
	// hook.
	RuleTrailingData Rule = "trailing-data"

	// RuleCaseFoldedName: a top-level name differs from a whitelisted one, or
	// from an alias, only in case.
	RuleCaseFoldedName Rule = "case-folded-name"
	// RuleAliasConflict: two spellings of a field have different values; only
	// for a sensitive hook.
	RuleAliasConflict Rule = "alias-conflict"
	// RuleWrongType: a whitelisted field has a value of another JSON type, or a number
	// that does not fit into a float64.
	RuleWrongType Rule = "wrong-type"
	// RuleMissingField: a required field is absent, null or blank.
	RuleMissingField Rule = "missing-field"
	// RuleEventMismatch: hook_event_name names another event; only for a
	// fail-closed hook.
	RuleEventMismatch Rule = "event-mismatch"
)

// Malformed is the error of Read and Decode. It never contains text of the input: Field
// is a name on the whitelist, whatever spelling the input used.
type Malformed struct {
	Rule  Rule
	Field string
}

// Error returns one plain sentence for a person.
func (m *Malformed) Error() string { return "hook input " + m.sentence() }

func (m *Malformed) sentence() string {
	switch m.Rule {
	case RuleEmpty:
		return "is empty"
	case RuleTruncated:
		return "ends before its JSON object is complete"
	case RuleTimeout:
		return "did not arrive in time"
	case RuleTooLarge:
		return "is too large"
	case RuleUnreadable:
		return "cannot be read"
	case RuleBOM:
		return "begins with a byte order mark"
	case RuleNotAnObject:
		return "is not a JSON object"
	case RuleInvalidUTF8:
		return "is not valid UTF-8"
	case RuleSyntax:
		return "is not valid JSON"
	case RuleTooDeep:
		return "is nested too deep"
	case RuleDuplicateName:
		return "has a name twice in one object"
	case RuleTrailingData:
		return "has data after its JSON object"
	case RuleCaseFoldedName:
		return "has a name that differs from " + m.Field + " only in case"
	case RuleAliasConflict:
		return "has two spellings of " + m.Field + " with different values"
	case RuleWrongType:
		return "has the wrong type of value in " + m.Field
	case RuleMissingField:
		return "lacks " + m.Field
	case RuleEventMismatch:
		return "names another event in " + m.Field
	}
	return "is malformed"
}
