#!/bin/sh
# Makes sqlite-load.profdata.zst, sqlite-query.profdata.zst and libsass.profdata.zst
# with clang 22 and llvm-profdata 22, of two programs that npm's registry has with
# their sources: better-sqlite3 12.11.1 (SQLite) and node-sass 9.0.0 (libsass
# 3.5.5). Needs npm, lld and zstd; works in a folder of its own and leaves it there.
set -eu
out=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && cd "$work"
npm pack --silent better-sqlite3@12.11.1 node-sass@9.0.0 >/dev/null
for archive in *.tgz; do mkdir "${archive%.tgz}" && tar -xf "$archive" -C "${archive%.tgz}" --strip-components 1; done

# SQLite: one build, two workloads. The path is short: it is part of static functions' names.
mkdir sqlite && cp better-sqlite3-*/deps/sqlite3/sqlite3.[ch] sqlite/ && cd sqlite
cat > run.c <<'C'
#include "sqlite3.h"
#include <stdio.h>
int main(int argc, char **argv) {
  static char sql[1 << 16];
  sqlite3 *db;
  char *fault = 0;
  sqlite3_open(":memory:", &db);
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "r");
    sql[fread(sql, 1, sizeof sql - 1, f)] = 0;
    fclose(f);
    if (sqlite3_exec(db, sql, 0, 0, &fault)) return fprintf(stderr, "%s\n", fault), 1;
  }
  return sqlite3_close(db);
}
C
cat > load.sql <<'SQL'
create table person(id integer primary key, name text, city text, born real);
create index by_city on person(city, name);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
  insert into person select i, 'name ' || (i * 7919 % 10007), 'city ' || (i % 97), 1900 + i * 0.0025 from n;
update person set born = born + 1 where id % 3 = 0;
delete from person where id % 11 = 0;
SQL
cat > query.sql <<'SQL'
select city, count(*), avg(born) from person group by city order by 2 desc, 1 limit 10;
select a.name, b.name from person a join person b on a.city = b.city and a.id < b.id where a.id < 300 order by b.born limit 100;
select name from person where name like '%99%' or name glob 'name 1*' order by name;
select id, sum(born) over (partition by city order by id rows 5 preceding) from person where id < 8000;
with recursive up(i, s) as (select 1, 'x' union all select i + 1, substr(s || i, -20) from up where i < 20000) select max(s) from up;
select json_group_object(name, born) from person where id < 500;
SQL
clang-22 -O2 -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -fprofile-generate run.c sqlite3.c -lm -o run
LLVM_PROFILE_FILE=load.profraw ./run load.sql
LLVM_PROFILE_FILE=query.profraw ./run load.sql query.sql
for of in load query; do llvm-profdata-22 merge "$of.profraw" -o "$out/sqlite-$of.profdata"; done
cd ..

# libsass: one run for counts, one for the heap, in one file.
mkdir sass && cd sass && cp -r ../node-sass-*/src/libsass .
cat > run.cpp <<'C'
#include <sass.h>
#include <cstdio>
int main(int, char **argv) {
  Sass_File_Context *file = sass_make_file_context(argv[1]);
  int status = sass_compile_file_context(file);
  Sass_Context *of = sass_file_context_get_context(file);
  if (status) std::fputs(sass_context_get_error_message(of), stderr);
  sass_delete_file_context(file);
  return status;
}
C
cat > sheet.scss <<'SCSS'
@mixin columns($n) {
  @for $i from 1 through $n {
    .c-#{$i} {
      width: percentage($i / $n);
      @extend .base;
      &:hover { color: darken(#c0ffee, $i * .5%); }
      > li + a { margin: { left: $i * 1px; right: $i * 2px; } }
    }
  }
}
.base { color: red; }
.base .x, .base:not(.y) { top: 0; }
@include columns(60);
@function fib($n) { @if $n < 2 { @return $n; } @return fib($n - 1) + fib($n - 2); }
@each $key, $value in (x: 1, y: 2, z: 3) { .m-#{$key} { z-index: $value + fib(13); } }
%held { k: v; }
@for $i from 1 through 40 { .p#{$i} { @extend %held; .in & { width: calc(1px + #{$i}px); } } }
@media screen and (min-width: 10px) { .q { a: b; @media (max-width: 90px) { a: c; } } }
SCSS
# Two builds: the counts of one have the names that the heap profile of the other lacks.
build() { # NAME FLAGS LINKER-FLAGS
  mkdir "$1"
  find libsass/src -name '*.cpp' -o -name '*.c' | while read -r file; do
    case $file in *.c) cc=clang-22 ;; *) cc="clang++-22 -std=c++11" ;; esac
    echo "$cc $2 -ffile-prefix-map=$PWD/= -DNDEBUG -w -Ilibsass/include -Ilibsass/src -c $PWD/$file -o $1/$(basename "$file").o"
  done | xargs -P "$(nproc)" -I{} sh -c '{}'
  clang++-22 -std=c++11 $2 -w -Ilibsass/include run.cpp "$1"/*.o $3 -o "$1/run"
}
build heap "-O2 -gmlt -fdebug-info-for-profiling -fmemory-profile -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls" "-no-pie -fuse-ld=lld -Wl,--build-id"
build counts "-O2 -fprofile-generate -mllvm -disable-preinline" ""
MEMPROF_OPTIONS=print_text=false:log_path=heap.raw heap/run sheet.scss
LLVM_PROFILE_FILE=counts.raw counts/run sheet.scss
llvm-profdata-22 merge counts.raw heap.raw.* --profiled-binary=heap/run --memprof-version=4 --memprof-full-schema -o "$out/libsass.profdata"
cd .. && zstd -q --rm -f -19 "$out"/sqlite-*.profdata "$out/libsass.profdata" && ls -l "$out" && echo "$work can go"
