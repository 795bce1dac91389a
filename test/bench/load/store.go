package main

import (
	"bytes"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// builds is of how many profiles the labels differ from each other.
const builds = 100

// measureStore compares a store of few profiles with one of many: what lists, a search, opening
// and deleting a profile take, alone.
func measureStore(binary string, few, many int) error {
	s, err := serve(binary)
	if err != nil {
		return err
	}
	defer s.stop()
	var took [2]map[string]time.Duration
	stored := 0
	for i, n := range []int{few, many} {
		if err := s.fill(stored, n); err != nil {
			return err
		}
		stored = n
		if took[i], err = s.requests(n); err != nil {
			return err
		}
	}
	fmt.Printf("%-44s %12s %12s %7s\n", "profiles stored", fmt.Sprint(few), fmt.Sprint(many), "ratio")
	for _, name := range requestNames {
		a, b := took[0][name], took[1][name]
		fmt.Printf("%-44s %12v %12v %7.2f\n", name, a.Round(10*time.Microsecond), b.Round(10*time.Microsecond),
			b.Seconds()/a.Seconds())
	}
	return nil
}

// fill uploads the profiles from..to, four at a time.
func (s *server) fill(from, to int) error {
	const clients = 4
	var all sync.WaitGroup
	faults := make([]error, clients)
	for c := range clients {
		all.Go(func() {
			for n := from + c; n < to && faults[c] == nil; n += clients {
				_, _, faults[c] = s.labelled(n)
			}
		})
	}
	all.Wait()
	return errors.Join(faults...)
}

// labelled uploads one profile with labels, and returns its link and the token that deletes it.
func (s *server) labelled(n int) (link, token string, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range [][2]string{
		{"name", fmt.Sprintf("app-%d", n)}, {"project", fmt.Sprintf("project-%d", n%10)},
		{"label", fmt.Sprintf("build=%d", n%builds)}, {"wait", "1m"},
	} {
		form.WriteField(field[0], field[1]) // a buffer takes everything
	}
	part, err := form.CreateFormFile("file", fmt.Sprintf("app-%d.proftext", n))
	if err != nil {
		return "", "", err
	}
	part.Write(small(uint64(n)))
	form.Close()
	answer, err := s.client.Post(s.url+"/api/v1/profiles", form.FormDataContentType(), &body)
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	var said bytes.Buffer
	if _, err := said.ReadFrom(answer.Body); err != nil {
		return "", "", err
	}
	if answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusAccepted {
		return "", "", fmt.Errorf("upload: %s: %s", answer.Status, said.String())
	}
	return answer.Header.Get("Location"), member(said.String(), "delete_token"), nil
}

// member is a string of a JSON object.
func member(object, name string) string {
	_, rest, _ := strings.Cut(object, `"`+name+`":`)
	_, rest, _ = strings.Cut(rest, `"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

var requestNames = []string{
	"home page", "list, newest", "list, by label", "list, by project and label", "list, by words", "groups of projects",
	"page of a project", "open a profile never opened", "its overview again", "upload until ready", "delete",
}

// requests measures each kind of request to a store of n profiles: the median of some.
func (s *server) requests(n int) (map[string]time.Duration, error) {
	took := map[string][]time.Duration{}
	timed := func(name string, f func() error) error {
		start := time.Now()
		err := f()
		took[name] = append(took[name], time.Since(start))
		return err
	}
	read := func(name, path string) error { return timed(name, func() error { return s.read(path) }) }
	for i := range 20 {
		var link, token string
		faults := []error{
			read("home page", "/"),
			read("list, newest", "/api/v1/profiles"),
			read("list, by label", fmt.Sprintf("/api/v1/profiles?label=build=%d", i%builds)),
			read("list, by project and label",
				fmt.Sprintf("/api/v1/profiles?project=project-%d&label=build=%d", i%10, i%builds)),
			read("list, by words", fmt.Sprintf("/api/v1/profiles?q=app-%d", i*n/20)),
			read("groups of projects", "/api/v1/profiles?group=project"),
			read("page of a project", fmt.Sprintf("/projects/project-%d", i%10)),
			timed("upload until ready", func() (err error) { link, token, err = s.labelled(n + i); return err }),
			read("open a profile never opened", "/p/"+filepath.Base(link)),
			read("its overview again", "/p/"+filepath.Base(link)),
			timed("delete", func() error { return s.remove(link, token) }),
		}
		if err := errors.Join(faults...); err != nil {
			return nil, err
		}
	}
	medians := map[string]time.Duration{}
	for name, list := range took {
		slices.Sort(list)
		medians[name] = list[len(list)/2]
	}
	return medians, nil
}

// remove deletes a profile.
func (s *server) remove(link, token string) error {
	request, err := http.NewRequest(http.MethodDelete, s.url+"/api/v1/profiles/"+filepath.Base(link), nil)
	if err != nil {
		return err
	}
	request.Header.Set("X-Delete-Token", token)
	answer, err := s.client.Do(request)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode >= 300 {
		return fmt.Errorf("delete: %s", answer.Status)
	}
	return nil
}
