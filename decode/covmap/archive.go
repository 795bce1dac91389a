package covmap

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// The first bytes of archives: of one that holds its members, and of one that names
// files.
const (
	archiveMagic = "!<arch>\n"
	thinMagic    = "!<thin>\n"
)

const memberHeaderSize = 60

func isArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte(archiveMagic)) || bytes.HasPrefix(data, []byte(thinMagic))
}

// archive reads the mappings of all members. Each is an object of its own.
func (s source) archive(o *Options, depth int) ([]*Object, error) {
	var objects []*Object
	var none error // the fault of the first member without a mapping
	err := s.members(o, func(m source, o *Options) error {
		list, err := open(m, o, depth+1)
		switch {
		case err == nil:
			objects = append(objects, list...)
		case !o.Lenient:
			return err
		case model.KindOf(err) == model.KindNoCoverage:
			if none == nil {
				none = err
			}
		default:
			fault, ok := model.FaultIn(err)
			if !ok {
				return err
			}
			objects = append(objects, &Object{Name: m.name, Faults: []Fault{{Err: fault}}})
		}
		return nil
	})
	if err == nil && len(objects) == 0 {
		if err = none; err == nil {
			err = s.fault(model.KindNoCoverage, "", s.base, "the archive has no members")
		}
	}
	if err != nil && (len(objects) == 0 || !o.Lenient) {
		return nil, err
	}
	return objects, nil
}

// members yields the members of an archive, of the GNU, BSD or Windows kind.
func (s source) members(o *Options, yield func(source, *Options) error) error {
	thin := bytes.HasPrefix(s.data, []byte(thinMagic))
	var long []byte // names
	for pos := len(archiveMagic); pos < len(s.data); {
		at := s.base + uint64(pos)
		if len(s.data)-pos < memberHeaderSize {
			return s.archiveFault(model.KindTruncated, at, "the archive ends inside the header of a member", "60 bytes",
				fmt.Sprint(len(s.data)-pos))
		}
		header := s.data[pos : pos+memberHeaderSize]
		pos += memberHeaderSize
		name := strings.TrimRight(string(header[:16]), " ")
		size, err := strconv.ParseUint(strings.TrimRight(string(header[48:58]), " "), 10, 40)
		if err != nil || string(header[58:]) != "`\n" {
			return s.archiveFault(model.KindMalformed, at, "this is no header of a member", "its size in digits, and 60 0a",
				fmt.Sprintf("%q", header[48:]))
		}
		index := name == "/" || name == "//" || name == "/SYM64/" || strings.HasPrefix(name, "/<") ||
			strings.HasPrefix(name, "__.SYMDEF")
		outside := thin && !index
		left := len(s.data) - pos
		if !outside && size > uint64(left) {
			return s.archiveFault(model.KindTruncated, at+48, "a member passes the end of the archive",
				fmt.Sprintf("at most %d", left), fmt.Sprint(size))
		}
		m := source{base: s.base + uint64(pos)}
		if !outside {
			m.data = s.data[pos : pos+int(size) : pos+int(size)]
			pos += int(size) + int(size&1)
		}
		if name == "//" {
			long = m.data
		}
		if index {
			continue
		}
		if name, m = memberName(name, long, m); strings.HasPrefix(name, "__.SYMDEF") {
			continue
		}
		options := o
		if outside {
			if m, err = s.outside(name, o); err != nil {
				return err
			}
			own := *o
			own.Allowance = wire.NewAllowance(uint64(len(m.data)))
			options = &own
		}
		m.name = s.name + "(" + name + ")"
		if err := yield(m, options); err != nil {
			return err
		}
	}
	return nil
}

// memberName is the name of a member: in its header, in the table of long names, or,
// of the BSD kind, before its bytes.
func memberName(name string, long []byte, m source) (string, source) {
	if text, ok := strings.CutPrefix(name, "#1/"); ok {
		if size, err := strconv.ParseUint(text, 10, 16); err == nil && size <= uint64(len(m.data)) {
			name = strings.TrimRight(string(m.data[:size]), "\x00")
			m.data, m.base = m.data[size:], m.base+size
		}
		return name, m
	}
	if text, ok := strings.CutPrefix(name, "/"); ok {
		if at, err := strconv.ParseUint(text, 10, 40); err == nil && at < uint64(len(long)) {
			rest := long[at:min(at+model.MaxName, uint64(len(long)))]
			if end := bytes.IndexAny(rest, "\n\x00"); end >= 0 {
				rest = rest[:end]
			}
			name = string(rest)
		}
	}
	return strings.TrimSuffix(name, "/"), m
}

// outside is a member of a thin archive, whose path is relative to the archive.
func (s source) outside(name string, o *Options) (source, error) {
	if o.Member == nil {
		return source{}, s.archiveFault(model.KindUnsupportedFeature, s.base,
			"the archive is thin: it names the files of its members; give those, or a full archive", "", name)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(s.name), path)
	}
	data, err := o.Member(path)
	if err != nil {
		fault := s.archiveFault(model.KindTruncated, s.base, "the file of a member cannot be read: "+err.Error(), "", "")
		fault.Err = err
		return source{}, fault
	}
	return source{data: data}, nil
}

func (s source) archiveFault(kind model.Kind, at uint64, msg, expected, found string) *model.FormatError {
	fault := s.fault(kind, "archive", at, msg)
	fault.Expected, fault.Found = expected, found
	return fault
}
