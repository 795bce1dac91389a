package engine

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is what the processes of one database call each other on.
const channel = "proflens"

func (p *postgresServer) notify(ctx context.Context, tx *sql.Tx, message string) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_notify('`+channel+`', ?)`, message)
	return err
}

// listen has a connection of its own. While there is none, nothing is heard.
func (p *postgresServer) listen(ctx context.Context, heard func(message string)) error {
	for ctx.Err() == nil {
		p.hear(ctx, heard)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// hear listens until the connection ends.
func (p *postgresServer) hear(ctx context.Context, heard func(message string)) {
	conn, err := pgx.ConnectConfig(ctx, p.config)
	if err != nil {
		return
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, `LISTEN `+channel); err != nil {
		return
	}
	heard("") // what was said before
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return
		}
		heard(n.Payload)
	}
}
