package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
)

// TestAllocatedType reads types off real names of libstdc++, libc++ and Rust.
func TestAllocatedType(t *testing.T) {
	for names, want := range map[string]string{
		"std::__new_allocator<Sass::Node>::allocate; std::_Deque_base<Sass::Node, " +
			"std::allocator<Sass::Node>>::_M_allocate_node; std::make_shared<std::deque<Sass::Node, " +
			"std::allocator<Sass::Node>>>": "deque<Node>",
		"std::__new_allocator<std::_Sp_counted_ptr_inplace<std::deque<Sass::Node, std::allocator<Sass::Node>>, " +
			"std::allocator<void>, (__gnu_cxx::_Lock_policy)2>>::allocate": "deque<Node>",
		"std::__new_allocator<Sass::Mapping>::allocate; std::vector<Sass::Mapping, " +
			"std::allocator<Sass::Mapping>>::_M_realloc_insert<Sass::Mapping const&>": "vector<Mapping>",
		"std::_Rb_tree<int, std::pair<int const, std::__cxx11::basic_string<char, std::char_traits<char>, " +
			"std::allocator<char>>>, std::_Select1st<X>>::_M_get_node": "map<int, string>",
		"std::_Hashtable<Sass::A, Sass::A, std::allocator<Sass::A>, std::__detail::_Identity>::_M_insert": "unordered_set<A>",
		"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>::_M_create":       "string",
		"std::__1::__tree<std::__1::__value_type<int, a::B>, C>::__construct_node":                        "map<int, B>",
		"std::make_unique<a::B, int>": "B",
		"<alloc::raw_vec::RawVec<my::Point>>::grow_one; <alloc::vec::Vec<my::Point>>::push": "Vec<Point>",
		"alloc::raw_vec::RawVec<T,A>::grow_one":                                             "Vec<T>",
		"std::__new_allocator<Sass::Node*>::allocate":                                       "Node*",
		"malloc": "", "": "", "<<<<": "", "a<b": "", "std::vector": "",
	} {
		if got := analyze.AllocatedType(strings.Split(names, "; ")); got != want {
			t.Errorf("%s\nis of %q, want %q", names, got, want)
		}
	}
	deep := analyze.ShortType(strings.Repeat("a::b<", 5000))
	if len(deep) > 100 {
		t.Errorf("a deep type is written %d bytes long", len(deep))
	}
}

// FuzzAllocatedType: no name takes it down, and what it says is short.
func FuzzAllocatedType(f *testing.F) {
	for _, seed := range []string{"std::vector<a>::b", "<a as b>::c", "a<b->c>", "operator<", "(a)::b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got := analyze.AllocatedType(slices.Repeat([]string{name}, 2)); len(got) > 400 {
			t.Errorf("%d bytes", len(got))
		}
	})
}
