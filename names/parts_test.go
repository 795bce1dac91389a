package names

import "testing"

func TestSplitDemangled(t *testing.T) {
	tests := []Parts{
		// Plain names.
		{"", "", ""},
		{"", "main", ""},
		{"", "foo", ".llvm.123"},
		{"", "foo", ".cold"},
		{"", "foo", ".part.0"},
		{"", "foo", ".__uniq.12.llvm.34"},
		{"", "_GLOBAL__sub_I_main.cpp", ""},
		{"", "__cxx_global_var_init.3", ""},

		// C++.
		{"", "foo", "()"},
		{"", "foo", "(int, std::vector<int, std::allocator<int>>)"},
		{"ns::", "foo", "(int)"},
		{"ns::Foo<std::pair<int, a::b>>::", "bar", "(int) const"},
		{"ns::Foo::", "Foo", "(ns::Foo const&)"},
		{"ns::Foo<int>::", "~Foo", "()"},
		{"void ns::", "foo", "<int, 3ul>(int)"},
		{"unsigned long ns::", "foo", "<int>(char const*) const &"},
		{"std::vector<int, std::allocator<int>> ns::", "make", "<int>(int)"},
		{
			"std::default_delete<calc::Var>& std::", "__get_helper",
			"<1ul, std::default_delete<calc::Var>>(std::_Tuple_impl<1ul, std::default_delete<calc::Var>>&)",
		},
		{"(anonymous namespace)::", "foo", "()"},
		{"calc::(anonymous namespace)::Shower::", "bin", "(calc::Bin const&)"},
		{"ns::", "foo[abi:cxx11]"[:3], "[abi:cxx11](int)"},
		{"float vector[4] Eigen::internal::", "pmadd", "<float vector[4]>(float vector[4] const&)"},
		{"void (*", "signal", "(int, void (*)(int)))(int)"},
		{"int (&ns::", "arr", "(int)) [3]"},
		{"decltype(fp + fp0) ns::", "add", "<int, int>(int, int)"},
		{"std::enable_if<(1) < (2), int>::type ns::", "f", "<int>()"},
		{"std::enable_if<((1) > (2)) || true, int>::type ns::", "f", "<int>()"},
		{"std::__enable_if<a >= b, int>::__type ns::", "f", "<(4) << (2)>()"},

		// Operators.
		{"std::", "operator&", "(std::_Ios_Iostate, std::_Ios_Iostate)"},
		{"Foo::", "operator()", "(int) const"},
		{"Foo::", "operator()", "<int>(int) const"},
		{"Foo::", "operator[]", "(int)"},
		{"Foo::", "operator->", "()"},
		{"Foo::", "operator->*", "(int)"},
		{"", "operator<", "(A, B)"},
		{"bool ns::", "operator<", "<int>(A<int>, B)"},
		{"ns::S& ns::", "operator<<", "(ns::S&, int)"},
		{"ns::S& ns::", "operator<<", "<int>(ns::S&, int)"},
		{"ns::S& ns::", "operator<<", " <int>(ns::S&, int)"},
		{"bool std::", "operator<", " <std::pair<int, a::b>>(std::pair<int, a::b> const&)"},
		{"auto ", "operator<=>", "<int>(A, B)"},
		{"bool ", "operator>", "<int>(A, B)"},
		{"bool ", "operator>>=", "(A, B)"},
		{"", "operator new", "(unsigned long)"},
		{"", "operator new[]", "(unsigned long)"},
		{"Foo::", "operator delete", "(void*)"},
		{"Foo::", "operator co_await", "()"},
		{"ns::", `operator"" _km`, "(long double)"},
		{"Foo::", "operator bool", "() const"},
		{"Foo::", "operator std::vector<int, a::b>*", "() const"},
		{"Foo::", "operator (anonymous namespace)::T", "()"},
		{"ns::", "operators", "(int)"},
		{"Foo::", "operator=", "(Foo&&)"},
		{"Foo::", "operator,", "(Foo&&)"},
		{"Foo::", "operator new", ""},
		{"", "operator", "(int)"},

		// Local names, in the words of both demanglers.
		{"main::{lambda(int)#1}::", "operator()", "(int) const"},
		{"foo(int, char)::{lambda(int)#1}::", "operator()", "(int) const"},
		{"foo(int) const::'lambda0'(int)::", "operator()", "(int) const"},
		{"auto ns::foo<int>(int) const &::'lambda'(auto)::", "operator()", "<int>(auto) const"},
		{"foo()::", "'unnamed'", ""},
		{"Foo::", "{lambda(int)#1}", ""},
		{"foo(int)::Local::", "bar", "()"},

		// Special names and clones.
		{"vtable for ns::", "Foo", "<int>"},
		{"guard variable for foo()::", "x", ""},
		{"non-virtual thunk to ns::Foo::", "bar", "(int)"},
		{"invocation function for block in ns::", "foo", "(int)"},
		{"ns::", "foo", "(int) (.cold)"},
		{"ns::", "foo", " (.llvm.123)"},
		{"ns::", "foo", "(int) [clone .cold]"},
		{"ns::", "foo", " [clone .cold]"},
		{"ns::", "foo", "(int) (.__uniq.1.llvm.2)"},
		{"bool ns::", "foo", "<int>(int) requires (bool)C<int>"},
		{"bool ns::", "foo", "<int>(int) [enable_if:(fp) > (0)]"},

		// Rust.
		{"graph::", "main", ""},
		{"graph::", "apply", "::<fn(u64) -> u64>"},
		{"<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::", "drop", ""},
		{"<alloc::collections::btree::node::NodeRef<i32, u64>>::", "new_leaf", "::<alloc::alloc::Global>"},
		{"core::ptr::swap::", "chunks", "::<8>"},
		{"alloc::slice::<impl core::ops::Drop for alloc::vec::Vec<T>>::", "drop", ""},
		{"graph::main::", "{closure#0}", ""},
		{"graph::main::", "{{closure}}", ""},
		{"core::ops::function::FnOnce::", "call_once", "{{vtable.shim}}"},
		{"core::slice::sort::<(a::b, i64), <[(a::b, i64)]>::sort_by<c>>::", "f", ""},
		{"core::ptr::", "drop_in_place", "<alloc::string::String>"},
		{"a::b::<'<'>::", "c", "::<'>'>"},
		{"<dyn for<'a> core::ops::Fn<(&'a u8,)> + 'a as core::any::Any>::", "type_id", " (.llvm.77)"},

		// Names that stay mangled.
		{"", "$s4main3fooyyF", ""},
		{"", "?foo@Bar@@YAXXZ", ""},
		{"", "??R<lambda_1>@@QEBAXXZ", ""},
		{"-[Foo ", "bar:baz:", "]"},
		{"+[Foo(Category) ", "bar", "]"},
		{"", "-[Foo", ""},
		{"", "_ZN3fo", ""},

		// Broken ones.
		{"", "::", ""},
		{"", "a::", ""},
		{"", "(", ""},
		{"", "a", "<b(c"},
	}
	for _, want := range tests {
		whole := want.Namespace + want.Base + want.Args
		if got := SplitDemangled(whole); got != want {
			t.Errorf("SplitDemangled(%q)\n got %q\nwant %q", whole, got, want)
		}
	}
}
