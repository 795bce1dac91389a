package humanize_test

import (
	"testing"

	"proflens/internal/humanize"
)

// Rows of one base are told by what is their own within the first forty letters; others stay.
func TestApart(t *testing.T) {
	const rule = "<tao::pegtl::internal::seq<tao::pegtl::internal::opt<tao::pegtl::ascii::one<'-', '+'> >, " +
		"tao::json::jaxn::"
	const one, two = "unicode::tables::long_enough::one::find::", "unicode::tables::long_enough::two::find::"
	const rewind = "<(apply)1, (rewind)0"
	in := func(space string) humanize.Name { return humanize.Name{Namespace: space, Base: "push", Args: "(int)"} }
	of := func(space, args string) humanize.Name {
		return humanize.Name{Namespace: space, Base: "match", Args: args}
	}
	match := func(args string) humanize.Name {
		return humanize.Name{Namespace: "bool tao::pegtl::", Base: "match", Args: args, Full: args}
	}
	for _, rows := range [][][2]humanize.Name{
		{
			{match("<tao::pegtl::internal::star<tao::pegtl::digit> >(in&)"), match("<star<digit> >(in&)")},
			{match("<tao::json::internal::rules::number<false> >(in&)"), match("<number<false> >(in&)")},
			{match("<int>(int)"), match("<int>(int)")},
		},
		{
			{match(rule + "digits>, 1>(in&)"), match("<seq<opt<…digits>, 1>(in&)")},
			{match(rule + "point>, 1>(in&)"), match("<seq<opt<…point>, 1>(in&)")},
			{match("<tao::pegtl::eof>()"), match("<tao::pegtl::eof>()")},
		},
		{ // without their scopes two are one
			{match("<first::library::scope::thing<int, long> >()"), match("<first::library::scope::thing<int, long> >()")},
			{match("<other::library::scope::thing<int, long> >()"), match("<other::library::scope::thing<int, long> >()")},
		},
		{ // there is nothing that it could be taken for
			{match("<tao::pegtl::star<tao::pegtl::digit> >()"), match("<tao::pegtl::star<tao::pegtl::digit> >()")},
			{
				{Namespace: "std::", Base: "sort", Args: "<int*, std::less<void> >(int*)"},
				{Namespace: "std::", Base: "sort", Args: "<int*, std::less<void> >(int*)"},
			},
		},
		{
			{in("std::vector<library::config::Node>::"), in("std::vector<Node>::")},
			{in("std::vector<library::config::Edge>::"), in("std::vector<Edge>::")},
		},
		{
			{in("unicode::tables::long_enough::word::find::"), in("…word::find::")},
			{in("unicode::tables::long_enough::grapheme::find::"), in("…grapheme::find::")},
		},
		{ // two would end alike
			{in(one + "'lambda'()::"), in(one + "'lambda'()::")},
			{in(one + "'lambda0'()::"), in("…'lambda0'()::")},
			{in(two + "'lambda'()::"), in(two + "'lambda'()::")},
			{in(two + "'lambda1'()::"), in("…'lambda1'()::")},
		},
		{ // the class stays
			{in("std::iterator<library::config::Node*, int>::"), in("std::iterator<Node*, int>::")},
			{in("std::iterator<library::config::Node*, long>::"), in("std::iterator<Node*, long>::")},
		},
		{ // the namespace tells enough, but of two that share it
			{of("seq<star>::", "<apply, action, memory_input<lf, string>>(I&)"), of("seq<star>::", "<…>(I&)")},
			{of("opt<star>::", "<apply, action, memory_input<lf, string>>(I&)"), of("opt<star>::", "<…>(I&)")},
			{of("sor<star>::", "<apply, action, memory_input<lf, long>>"), of("sor<star>::", "<apply, …long>>")},
			{of("sor<star>::", "<apply, action, memory_input<lf, int>>"), of("sor<star>::", "<apply, …int>>")},
			{of("any::", "<short>(I&)"), of("any::", "<short>(I&)")},
		},
		{ // as much as they differ by
			{of("at<one>::", rewind+", action>"), of("at<one>::", "<…>")},
			{of("seq::", rewind+", actionone, memory_input>"), of("seq::", rewind+", actionone, mem…>")},
			{of("seq::", rewind+", actiontwo, memory_input>"), of("seq::", rewind+", actiontwo, mem…>")},
		},
		{ // the arguments of its class are told apart
			{in("std::_Rb_tree<std::string, std::pair<std::string const, double>, std::less<void>>::"),
				in("std::_Rb_tree<…double>, less<void>>::")},
			{in("std::_Rb_tree<std::string, std::pair<std::string const, calc::Var>, std::less<void>>::"),
				in("std::_Rb_tree<…Var>, less<void>>::")},
		},
		{ // so are the scopes of the class
			{in("bool tao::pegtl::internal::sor<CRLF, CR, LF>::"), in("…sor<…CR, LF>::")},
			{in("bool tao::pegtl::internal::sor<CRLF, WSP>::"), in("…sor<…WSP>::")},
			{in("bool tao::pegtl::internal::seq<CRLF, WSP>::"), in("…seq<CRLF, WSP>::")},
		},
		{ // nothing in it is a name of C++
			{in("<<<<<::::>>>>>-> a::b::c::d::e::f::g::h"), in("<<<<<::::>>>>>-> a::b::c::d::e::f::g::h")},
			{in("<"), in("<")},
		},
	} {
		var list []*humanize.Name
		for i := range rows {
			rows[i][1].Full = rows[i][0].Full
			list = append(list, &rows[i][0])
		}
		humanize.Apart(list, func(n **humanize.Name) *humanize.Name { return *n })
		for _, row := range rows {
			if row[0] != row[1] {
				t.Errorf("%+v\nwant %+v", row[0], row[1])
			}
		}
	}
}
