import assert from "node:assert/strict";
import test from "node:test";
import { Refusal } from "../api/api";
import { uploaded } from "./send";

test("one profile, or a list of them", () => {
  assert.deepEqual(
    uploaded(201, '{"id":"a","status":"ready"}').map((p) => p.id),
    ["a"],
  );
  assert.deepEqual(
    uploaded(202, '{"items":[{"id":"a"},{"id":"b"}]}').map((p) => p.id),
    ["a", "b"],
  );
});

test("stored but not decodable is a failed profile with its token", () => {
  const body = { title: "Stored", detail: "truncated", id: "a", link: "http://x/p/a", delete_token: "t" };
  const [profile] = uploaded(422, JSON.stringify(body));
  assert.equal(profile?.status, "failed");
  assert.equal(profile?.delete_token, "t");
  assert.equal(profile?.findings[0]?.message, "truncated");
});

test("a list of which nothing is decodable keeps its tokens", () => {
  const body = '{"items":[{"id":"a","status":"failed","findings":[],"delete_token":"t"}]}';
  assert.equal(uploaded(422, body)[0]?.delete_token, "t");
});

test("a refusal keeps the server's words", () => {
  assert.throws(
    () => uploaded(413, '{"title":"Upload too large","detail":"at most 5 bytes"}'),
    (error) => {
      return error instanceof Refusal && error.problem.status === 413 && error.message === "at most 5 bytes";
    },
  );
});
