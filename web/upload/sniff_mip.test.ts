import assert from "node:assert/strict";
import test from "node:test";
import { byContent, describeGroup } from "./group";
import { sniff } from "./sniff";

function header(type: number, hash: number, version = 8): Uint8Array {
  const bytes = new Uint8Array(40);
  const view = new DataView(bytes.buffer);
  bytes.set([0xfb, 0x4d, 0x49, 0x50]);
  view.setUint16(4, version, true);
  view.setUint16(6, type | 0x10, true);
  view.setUint32(12, hash, true);
  return bytes;
}

const of = (type: number, hash: number, version?: number) => sniff(header(type, hash, version), 40);

test("files of machine IR profiles", () => {
  assert.equal(of(4, 0xd82bc7cd).describe, "MIP map v8, module 0xd82bc7cd");
  assert.equal(of(1, 1).describe, "MIP raw v8, module 0x00000001");
  assert.equal(of(8, 1).program, undefined);
  assert.match(of(2, 1).doubt ?? "", /never finished/);
  assert.match(of(1, 1, 7).doubt ?? "", /Version 7/);
  assert.match(sniff(header(1, 1).subarray(0, 9), 9).doubt ?? "", /inside its header/);
});

test("a map and its runs are one profile", () => {
  const files = [of(1, 7), of(4, 7), of(8, 7), of(1, 7), of(1, 8)];
  assert.deepEqual(byContent(files), [[0, 1, 3], [2], [4]]);
  assert.equal(describeGroup([0, 1, 3], files), "a map and its runs, one profile");
  assert.equal(describeGroup([2, 2], files), "merged into one");
});
