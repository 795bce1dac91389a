// Package mt19937 is the Mersenne Twister of 32 bits, which gives the numbers that C++'s
// std::mt19937 gives: what LLVM draws at random, it draws by that.
package mt19937

// Source gives numbers.
type Source struct {
	state [624]uint32
	at    int
}

// DefaultSeed is that of a std::mt19937 which nobody seeds.
const DefaultSeed = 5489

// New is a source with a seed.
func New(seed uint32) Source {
	g := Source{at: 624}
	g.state[0] = seed
	for i := uint32(1); i < 624; i++ {
		prev := g.state[i-1]
		g.state[i] = 1812433253*(prev^prev>>30) + i
	}
	return g
}

// Uint32 is the next number.
func (g *Source) Uint32() uint32 {
	if g.at == 624 {
		for i := range g.state {
			y := g.state[i]&0x80000000 | g.state[(i+1)%624]&0x7fffffff
			g.state[i] = g.state[(i+397)%624] ^ y>>1 ^ -(y&1)&0x9908b0df
		}
		g.at = 0
	}
	y := g.state[g.at]
	g.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// Float32 is the next number from 0 up to 1, as libstdc++'s uniform_real_distribution<float>
// draws it.
func (g *Source) Float32() float32 {
	const below1 = 0x1.fffffep-1
	return min(float32(g.Uint32())/(1<<32), below1)
}
