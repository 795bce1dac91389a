package analyze

import "strings"

// AllocatedType is what an allocation is of, short, where the names of the library's
// frames tell: "deque<Node>". The names are those between the allocator and the
// program, without return types and parameters, the allocator's end first. It is
// empty where they do not tell.
func AllocatedType(library []string) string {
	element := ""
	for _, name := range library {
		if len(name) > maxTypedName {
			continue
		}
		parts := nameParts(name)
		for i, part := range parts {
			base, args := templateOf(part)
			last := i == len(parts)-1
			if last && len(args) > 0 && (base == "make_shared" || base == "make_unique" || base == "allocate_shared") {
				return ShortType(args[0])
			}
			if last && len(parts) > 1 {
				break // of a method its class tells
			}
			if t := containerOf(base, args); t != "" {
				return t
			}
			if element == "" && len(args) > 0 && strings.HasSuffix(base, "allocator") {
				inner, of := templateOf(lastPart(args[0]))
				if strings.HasPrefix(inner, "_Sp_counted_ptr_inplace") && len(of) > 0 {
					return ShortType(of[0])
				}
				element = ShortType(args[0])
			}
		}
	}
	if strings.HasPrefix(element, "_") || element == "char" {
		return "" // the library's own, or bytes
	}
	return element
}

// containers are the classes of standard libraries that allocate, by what they are
// called outside: libstdc++'s, libc++'s, Rust's.
var containers = map[string]string{
	"vector": "vector", "_Vector_base": "vector", "deque": "deque", "_Deque_base": "deque", "list": "list",
	"_List_base": "list", "__list_imp": "list",
	"forward_list": "forward_list", "_Fwd_list_base": "forward_list", "__split_buffer": "vector", "valarray": "valarray",
	"function": "function",
	"Vec":      "Vec", "RawVec": "Vec", "VecDeque": "VecDeque", "Box": "Box", "Rc": "Rc", "Arc": "Arc", "String": "String",
	"BTreeMap": "BTreeMap", "RawTable": "HashMap",
}

// containerOf is a container with what it holds; empty for another class.
func containerOf(base string, args []string) string {
	switch base {
	case "basic_string":
		return ShortType(base + "<" + strings.Join(args, ", ") + ">")
	case "_Rb_tree", "__tree", "_Hashtable", "__hash_table":
		kind := map[string]string{"_Rb_tree": "", "__tree": "", "_Hashtable": "unordered_",
			"__hash_table": "unordered_"}[base]
		held := args
		if strings.HasPrefix(base, "_") && !strings.HasPrefix(base, "__") && len(args) > 1 {
			held = args[1:] // libstdc++ has the key before
		}
		if len(held) == 0 {
			return kind + "map"
		}
		inner, of := templateOf(lastPart(held[0]))
		if (inner == "pair" || strings.HasSuffix(inner, "value_type")) && len(of) > 1 {
			return kind + "map<" + ShortType(strings.TrimSuffix(of[0], " const")) + ", " + ShortType(of[1]) + ">"
		}
		return kind + "set<" + ShortType(held[0]) + ">"
	}
	name, ok := containers[base]
	if !ok || len(args) == 0 || base == "function" {
		return name
	}
	return name + "<" + ShortType(args[0]) + ">"
}

// The bounds of a type that is written short.
const (
	maxTypeDepth = 8
	maxTypeBytes = 80
	maxTypedName = 8 << 10 // of a name that is read for a type
)

// ShortType is a type of C++ or Rust without namespaces and without the template
// arguments that have defaults, cut at 80 bytes.
func ShortType(t string) string {
	text := shortType(t, 0)
	if len(text) > maxTypeBytes {
		text = strings.ToValidUTF8(text[:maxTypeBytes-3], "") + "…"
	}
	return text
}

func shortType(t string, depth int) string {
	if depth == maxTypeDepth {
		return "…"
	}
	t = strings.TrimSpace(t)
	base, args := templateOf(lastPart(t))
	if args == nil {
		return base
	}
	tail := strings.TrimSpace(t[strings.LastIndexByte(t, '>')+1:])
	switch base {
	case "basic_string", "basic_string_view":
		base = strings.TrimPrefix(base, "basic_")
		if args[0] == "wchar_t" {
			base = "w" + base
		}
		return base + tail
	}
	var kept []string
	for i, arg := range args {
		if i > 0 && isDefaultArgument(arg) {
			continue
		}
		kept = append(kept, shortType(arg, depth+1))
	}
	return base + "<" + strings.Join(kept, ", ") + ">" + tail
}

func isDefaultArgument(arg string) bool {
	base, _ := templateOf(lastPart(arg))
	switch base {
	case "allocator", "less", "hash", "equal_to", "char_traits", "default_delete", "Global", "RandomState":
		return true
	}
	return false
}

// nameParts are the parts of a name between the "::" outside brackets. Rust's "<T
// as Trait>::f" begins with the parts of T.
func nameParts(name string) []string {
	if strings.HasPrefix(name, "<") {
		depth := 0
		for i := range len(name) {
			switch name[i] {
			case '<':
				depth++
			case '>':
				if i > 0 && name[i-1] != '-' {
					depth--
				}
			}
			if depth == 0 {
				of, _, _ := strings.Cut(name[1:i], " as ")
				return append(nameParts(of), strings.TrimPrefix(name[i+1:], "::"))
			}
		}
		return []string{name}
	}
	var parts []string
	from, depth := 0, 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; c {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			if c != '>' || i == 0 || name[i-1] != '-' {
				depth--
			}
		case ':':
			if depth <= 0 && i+1 < len(name) && name[i+1] == ':' {
				parts = append(parts, name[from:i])
				if strings.HasPrefix(name[i+2:], "operator") {
					return append(parts, name[i+2:]) // its signs are no brackets
				}
				i++
				from = i + 1
			}
		}
	}
	return append(parts, name[from:])
}

// lastPart is what stands behind the namespaces of a type.
func lastPart(t string) string {
	parts := nameParts(strings.TrimSpace(t))
	return parts[len(parts)-1]
}

// templateOf takes the last part of a name apart: the name, and its template
// arguments; nil where it has none.
func templateOf(part string) (base string, args []string) {
	at := strings.IndexByte(part, '<')
	if at <= 0 || strings.HasPrefix(part, "operator") {
		return part, nil
	}
	from, depth := at+1, 1
	for i := at + 1; i < len(part); i++ {
		switch c := part[i]; c {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			if c == '>' && part[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return part[:at], append(args, strings.TrimSpace(part[from:i]))
			}
		case ',':
			if depth == 1 {
				args = append(args, strings.TrimSpace(part[from:i]))
				from = i + 1
			}
		}
	}
	return part[:at], append(args, strings.TrimSpace(part[from:]))
}
