package llvmargs

import (
	"reflect"
	"strings"
)

// Of is the options that the fields of a struct declare by their tags, and gives the fields
// their defaults. A tag has the name of a command, or another of those asked for, and names the
// field's options there; after NAME=WORD the option is a [Word]. Beside it "words" are those of
// a [Choice], with commas, "type" is that of a [Number], or "rest" for a [Rest], and "default"
// what the field has before any option is given.
func Of(to any, commands ...string) Options {
	o := Options{}
	all := reflect.ValueOf(to).Elem()
	for _, field := range reflect.VisibleFields(all.Type()) {
		if !field.IsExported() {
			continue
		}
		option := all.FieldByIndex(field.Index).Addr().Interface()
		if text, ok := field.Tag.Lookup("default"); ok {
			(&Fault{Value: text}).set(option)
		}
		words := field.Tag.Get("words")
		switch kind := field.Tag.Get("type"); {
		case words != "":
			option = Choice{option.(*string), strings.Split(words, ",")}
		case kind == "rest":
			option = Rest{option.(*[]string)}
		case kind != "":
			option = Number{option.(*uint64), kind}
		}
		for _, command := range commands {
			for name := range strings.FieldsSeq(field.Tag.Get(command)) {
				name, word, isWord := strings.Cut(name, "=")
				if o[name] = option; isWord {
					o[name] = Word{option, word}
				}
			}
		}
	}
	return o
}
