package query

import (
	"regexp"
	"strings"
)

// Condition is what somebody typed where words are sought, as a column, a sign and a value: "entry >= 1 000".
type Condition struct{ Column, Sign, Value string }

var conditionForm = regexp.MustCompile(`(?i)^\s*([a-z_]+)\s*(>=|<=|!=|≥|≤|=|>|<|~|:)\s*(.*?)\s*$`)

// ReadCondition reads one; ok is unset of what can only be a part of a name, such as a::b.
func ReadCondition(text string) (c Condition, ok bool) {
	m := conditionForm.FindStringSubmatch(text)
	if m == nil || m[3] == "" || m[2] == ":" && m[3][0] == ':' {
		return c, false
	}
	sign := strings.NewReplacer("≥", ">=", "≤", "<=", ":", "=").Replace(m[2])
	return Condition{strings.ToLower(m[1]), sign, m[3]}, true
}

// Compares reports whether its sign says which of two is larger.
func (c *Condition) Compares() bool { return c.Sign[0] == '<' || c.Sign[0] == '>' }
