package sampleweb_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// The pages of one profile with its program, with another and without have their figures and sentences whole.
func TestWhatPagesOfSamplesSay(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func(files ...string) string {
		return webtest.Page(strings.TrimPrefix(webtest.PutSamples(l, files...), webtest.API("")))
	}
	lines, listed := put("llvm-22/line.ext.afdo", "programs/lines.elf"), put("llvm-22/symlist.ext.afdo")
	l.Says(lines, "100 % same code same code: 5 238, 102 functions",
		"54.2 % of 605 places have no sample; 23.1 % of the others",
		"19 of 38 functions in the program have samples, 50.0 %", "Hot threshold ? ≥ 1 99 % cutoff, 277 places",
		"1 (anonymous namespace)::Grid:: walk (int, int, int) 35.5 k 61.9 % 61.9 % 242 4 2 vm:: run", "!stale code",
		"Read by LLVM of today", "Program lines.elf")
	const walk = "/functions/9a49cc3e55a0498b"
	l.Says(lines+walk, "hot 35.5 k samples, rank 1. 43 % of its counts are in inlined bodies: 17 % in inside, 17 % in at.",
		"8 lines from 21; head 242 Source Offsets Whole file CSV The program has line numbers only.",
		"none −21 239 21 +0 225 22 +1 490 inlined inside (anonymous namespace)::Grid:: inside (int, int) const 490",
		"25 +4 119 26 +5 125 → walk 52 % walk 48 % 27 +6 211 Inlined into it 3 places", "own lines 1 625 57.4 %",
		"Function Calls Inlined (anonymous namespace)::Grid:: walk (int, int, int) 241 0 routes (int) 1 0 Calls", "!× 1",
		"GUID 0x9a49cc3e55a0498b", "!In the symbol list", "!more lines are")
	l.Says(lines+walk+"?rows=offsets", "12 places; head 242 Line Offset", "23 +2.1 478 inlined at",
		"27 +6.1 211 none −21 239",
		"!Add the sources")
	l.Says(lines+"/symbols", "19 of 38 symbols of the program have no sample. The file has no list of symbols: the "+
		"compiler cannot tell these from new functions.", "All symbols 38 Never sampled 19", "!Missing from the list")
	l.Says(lines+"/stale", "This program has every function of the profile Which functions changed cannot be told")
	l.Says(lines+"/stale?q=walk", "0 of 102 functions match")
	l.Says(put("llvm-22/line.ext.afdo")+"/symbols", "Add the program: its functions are listed then.")
	l.Says(listed,
		"half of them in the code of 1. 68.0 % of the samples are in inlined bodies. How much of it is stale cannot",
		"4 of 8 listed symbols have no sample: cold.", "20 % 2 600 ", "99 % (hot threshold) 9 25 99.9 % 9 25",
		"Places 10 symlist",
		"3 data:: load (int) 25 1.2 % 100 % 5 0 Detailed")
	l.Says(listed+"/symbols", "4 of 8 symbols of the program have no sample", "0 functions with samples are missing",
		"!Missing from the list", "All symbols 8 Never sampled 4 Demangled", "6 never_sampled 0 0 % 7",
		"4 helper 1 200 68.0 %",
		"/functions/3d44a4ada8ec882e")
	l.Says(listed+"/functions/db956436e78dd5fa", "Give the program,",
		"+2.1 35 → parse 86 % load 14 % +3 40 +5.3 1 200 inlined helper",
		"Inlined into it 1 place", "In the symbol list yes", "helper 0 1 200 Fields", "!does not tell", "!none")
	l.Says(put("llvm-22/line.ext.afdo", "programs/symbols.nm")+walk,
		"declared, which the program does not tell.", "!Give the program")
}
