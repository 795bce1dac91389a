package middleware

import (
	"net/http"

	"proflens/profile/budget"
)

// Budget gives a request an account with the budget of the process: what it builds is
// given back when it ends.
func Budget(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, account := budget.Process.Open(r.Context())
		defer account.Close()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
