package handlers

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"proflens/handlers/site"
)

// accessLog writes a line for each request and counts it. The line has the
// route's pattern and not the address: whoever has an address has the profile.
// Only a listed profile is named.
func (s *server) accessLog(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
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
			s.metrics.request(route, r.Method, status, took)
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
