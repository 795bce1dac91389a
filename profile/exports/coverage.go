package exports

import (
	"context"
	"io"
	"time"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/encode/llvmcov"
	"proflens/names"
)

var (
	coverageJSON = Form{Family: covmap.Family,
		Plan: ofCoverage(func(w io.Writer, c *coverage.Coverage, files []int) error {
			return llvmcov.WriteJSON(w, c, files, llvmcov.JSONOptions{})
		}), Offers: always(Offer{Label: "llvm-cov JSON", For: "every region, byte for byte what llvm-cov export writes"})}

	coverageLCOV = Form{Family: covmap.Family,
		Plan: ofCoverage(func(w io.Writer, c *coverage.Coverage, files []int) error {
			return llvmcov.WriteLCOV(w, c, files, llvmcov.LCOVOptions{})
		}), Offers: always(Offer{Label: "LCOV", For: "lines and branches, for genhtml, editors and services"})}

	coverageXML = Form{Family: covmap.Family, Plan: ofCoverage(func(w io.Writer, c *coverage.Coverage, files []int) error {
		return llvmcov.WriteCobertura(w, c, files, llvmcov.CoberturaOptions{
			Version: "proflens", Made: time.Unix(0, 0),
			Demangle: func(linkage string) string { return names.Demangle(linkage, names.Full) },
		})
	}), Offers: always(Offer{Label: "Cobertura", For: "lines and branches as XML, for build servers"})}

	coverageReport = Form{Family: covmap.Family,
		Plan: ofCoverage(func(w io.Writer, c *coverage.Coverage, files []int) error {
			return llvmcov.WriteReport(w, llvmcov.Rows(c, files, nil), llvmcov.ReportOptions{Regions: true, Branches: true},
				true)
		}), Offers: always(Offer{Label: "Report", For: "a line for each file, as llvm-cov report prints it"})}
)

// ofCoverage plans an export of source coverage, joined as llvm-cov joins it.
func ofCoverage(write func(w io.Writer, c *coverage.Coverage, files []int) error) Planner {
	const none = "no source coverage; it needs the program, compiled with -fcoverage-mapping"
	return of(covmap.Family, none, func(records *covmap.Records, _ Options) (*Plan, error) {
		return &Plan{Writes: func(w io.Writer) error {
			c, err := coverage.JoinRecords(context.Background(), records, coverage.Options{AsLLVM: true})
			if err != nil {
				return err
			}
			files := make([]int, len(c.Files))
			for i := range files {
				files[i] = i
			}
			return write(w, c, files)
		}}, nil
	})
}

// declarationsOf says where functions are declared, or else where their code begins by the
// coverage mapping; nil where neither is there.
func declarationsOf(p *format.Profile) model.Declarations {
	records, err := need[*covmap.Records](p, covmap.Family, "")
	if p.Declared != nil || err != nil {
		return p.Declared
	}
	return func(ctx context.Context, _ func([]byte) bool, visit func(model.Declaration)) ([]model.Finding, error) {
		c, err := coverage.JoinRecords(ctx, records, coverage.Options{Brief: true})
		if err != nil {
			return nil, ctx.Err() // what is wrong with the mapping is said of coverage
		}
		for i := range c.Functions {
			f := &c.Functions[i]
			path, linkage := names.Cut([]byte(f.Linkage))
			visit(model.Declaration{Name: linkage, Local: len(path) > 0, Line: f.Start().Line})
		}
		return nil, nil
	}
}
