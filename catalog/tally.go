package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"proflens/catalog/engine"
)

// tallyFor is how long it is known what a client asked.
const tallyFor = time.Minute

// Tally tells the other processes how many requests of each client this one has allowed
// since it told them last, and returns what they have allowed of these clients lately:
// numbers that count up, until they begin again.
func (s *Catalog) Tally(ctx context.Context, made map[string]int64) (elsewhere map[string]int64, err error) {
	names := map[string]string{} // of clients, by what stands for them
	for client := range made {
		sum := sha256.Sum256([]byte(client))
		names[hex.EncodeToString(sum[:8])] = client
	}
	err = s.update(ctx, recoverable, func(tx *engine.Tx) {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			tx.Exec(`INSERT INTO tally (client, process, requests, updated_us) VALUES (?, ?, ?, ?)
				ON CONFLICT (client, process) DO UPDATE SET requests = tally.requests + excluded.requests, updated_us = excluded.updated_us`,
				name, s.instance, made[names[name]], tx.Now)
		}
		// Each removes its own: nobody waits for another.
		lately := tx.Now - tallyFor.Microseconds()
		tx.Exec(`DELETE FROM tally WHERE process = ? AND updated_us < ?`, s.instance, lately)
		elsewhere = map[string]int64{}
		var name string
		var n int64
		tx.Fail(engine.Each(ctx, tx, []any{&name, &n}, func() {
			if client, asked := names[name]; asked {
				elsewhere[client] += n
			}
		}, `SELECT client, requests FROM tally WHERE process <> ? AND updated_us >= ?`, s.instance, lately))
	})
	return elsewhere, err
}
