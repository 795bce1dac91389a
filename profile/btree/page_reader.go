package btree

// pageReader reads pages, and for who reads one page after another several at once: to ask
// the system takes longer than to copy a page.
type pageReader struct {
	last  uint32 // page that was read
	ahead []byte // pages, from one on
	from  uint32
}

// read reads page no into b.
func (p *pageReader) read(r *Reader, no uint32, b []byte) error {
	inOrder := no == p.last+1 && p.last > 0
	p.last = no
	if !inOrder || no > r.pages {
		return r.readPage(no, b)
	}
	if at := int(no-p.from) * r.pageSize; p.from > 0 && no >= p.from && at < len(p.ahead) {
		copy(b, p.ahead[at:at+r.pageSize])
		return nil
	}
	size := int(min(leavesInRun, r.pages-no+1)) * r.pageSize
	if cap(p.ahead) < size {
		p.ahead = make([]byte, size)
	}
	p.ahead, p.from = p.ahead[:size], no
	if err := r.readPages(no, p.ahead); err != nil {
		p.from = 0
		return err
	}
	copy(b, p.ahead[:r.pageSize])
	return nil
}
