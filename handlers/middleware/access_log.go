package middleware

import (
	"log/slog"
	"net/http"
	"time"

	chi "github.com/go-chi/chi/v5/middleware"

	"proflens/handlers/site"
)

// AccessLog writes a line for each request and has it counted. The line has the
// route's pattern and not the address: whoever has an address has the profile.
// Only a listed profile is named.
func AccessLog(s *site.Site, count func(route, method string, status int, took time.Duration),
	next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ww := chi.NewWrapResponseWriter(w, r.ProtoMajor)
		req := site.RequestOf(r)
		defer func() {
			status, took := ww.Status(), time.Since(start)
			if status == 0 {
				status = http.StatusOK
			}
			route := req.Route
			if route == "" {
				route = "none"
			}
			count(route, r.Method, status, took)
			level := slog.LevelInfo
			attrs := []slog.Attr{
				slog.String("method", r.Method), slog.String("route", route), slog.Int("status", status),
				slog.Int("bytes", ww.BytesWritten()), slog.Duration("took", took), slog.String("request", req.Id),
			}
			if req.Profile != "" {
				attrs = append(attrs, slog.String("profile", req.Profile))
			}
			if status >= http.StatusInternalServerError && req.Err != nil {
				level = slog.LevelError
				attrs = append(attrs, slog.String("error", req.Err.Error()))
			}
			s.Log.LogAttrs(r.Context(), level, "request", attrs...)
		}()
		next.ServeHTTP(ww, r)
	})
}
