import { apiOf, pageOf, parseProblem, Refusal } from "../api/api";
import { el } from "../dom";
import type { Folder } from "./folder";
import { pair } from "./pair";

/** What is sent of a folder, said before it is. */
export const promise =
  "Only the source files that the profile names are sent; nothing else leaves this machine.";

/** Which of the source files that a profile names have text. */
export interface Matched {
  mapped: number;
  with_text: number;
  missing: string[];
}

interface Named {
  mapped: number;
  with_text: number;
  files: { file: string; text: boolean }[];
}

/** The most that one request has. */
const maxFiles = 1000;
const maxBytes = 8 << 20;

/** As many bytes as the text of a source may have. */
const maxText = 16 << 20;

/**
 * Sends the files of folders that a profile names and has no text of. The token may be empty
 * in the browser that uploaded the profile. sent is told how many are sent, and of how many.
 */
export async function sendSources(
  id: string,
  token: string,
  folders: readonly Folder[],
  sent: (done: number, of: number) => void,
  signal?: AbortSignal,
): Promise<Matched> {
  for (const folder of folders) {
    const files = (await named(id, signal)).files.flatMap(({ file, text }) => (text ? [] : [file]));
    const found = pair(files, folder.paths).flatMap((at, i) =>
      at < 0 ? [] : [{ at, name: files[i] ?? "" }],
    );
    let form = new FormData();
    let [count, bytes] = [0, 0];
    const flush = async (done: number) => {
      if (count > 0) await post(id, token, form, signal);
      [form, count, bytes] = [new FormData(), 0, 0];
      sent(done, found.length);
    };
    for (const [i, { at, name }] of found.entries()) {
      const file = await folder.file(at);
      if (file.size > maxText) continue;
      if (count === maxFiles || bytes + file.size > maxBytes) await flush(i);
      form.append("file", file, name);
      count++;
      bytes += file.size;
    }
    await flush(found.length);
  }
  const { mapped, with_text, files } = await named(id, signal);
  return { mapped, with_text, missing: files.flatMap(({ file, text }) => (text ? [] : [file])) };
}

async function named(id: string, signal?: AbortSignal): Promise<Named> {
  const answer = await fetch(`${apiOf(id)}/sources`, { cache: "no-store", signal: signal ?? null });
  return (await read(answer)) as Named;
}

/** Posts to the profile's page, where the cookie of who uploaded it counts too. */
async function post(id: string, token: string, body: FormData, signal?: AbortSignal): Promise<void> {
  const headers = { Accept: "application/json", "X-Delete-Token": token };
  await read(await fetch(`${pageOf(id)}/sources`, { method: "POST", headers, body, signal: signal ?? null }));
}

async function read(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Refusal(parseProblem(await answer.text(), answer.status));
  return await answer.json();
}

/** As many missing files as are listed. */
const maxListed = 200;

/** Says how many files have text, and which do not. */
export function matchedNode({ mapped, with_text, missing }: Matched): HTMLElement {
  const says = `${with_text} of ${mapped} ${mapped === 1 ? "source" : "sources"}`;
  if (missing.length === 0) return el("span", {}, says);
  const listed = missing.slice(0, maxListed).map((name) => el("li", { class: "mono" }, name));
  const more = missing.length - listed.length;
  return el(
    "details",
    {},
    el("summary", {}, `${says}; ${missing.length} missing`),
    el("ul", {}, ...listed, more > 0 ? el("li", {}, `${more} more`) : undefined),
  );
}
