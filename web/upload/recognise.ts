import { basePath, type Finding, parseProblem, Refusal } from "../api/api";
import { allInOne, type Groups } from "./group";
import { sentence } from "./size";

/** What is known of a file before it is sent. */
export interface Known {
  /**
   * What becomes of it. A companion is no profile and may stand beside one; what is
   * unread is a profile of a kind that is not decoded; of what is unasked nothing is known.
   */
  is: "profile" | "companion" | "foreign" | "unread" | "unknown" | "empty" | "packed" | "unasked";
  describe: string;
  /** The server's name of the format. */
  format?: string;
  /** Whether it needs no program beside it. */
  whole: boolean;
  /** The profiles that it may complete. */
  claimedBy: readonly Known[];
  /** Equal for files that the server makes one profile of. */
  home: number;
  /** Why the server will probably not decode it. */
  doubt?: string;
}

/** What is known of files, which of them form one profile, and why no more is known. */
export interface Recognition {
  files: Known[];
  groups: Groups;
  note?: string;
}

interface Answer {
  files: {
    is: Known["is"];
    describe: string;
    format?: string;
    whole: boolean;
    claimed_by: number[];
    finding: Finding | null;
  }[];
  groups: number[][];
}

/** As many bytes of a file as the server looks at. */
const headBytes = 4096;

/** How long the server may take, in milliseconds: the files can be sent without an answer. */
const patience = 10_000;

/** Asks the server what files are. */
export async function recognise(files: readonly File[]): Promise<Recognition> {
  const heads = await Promise.all(files.map(headOf));
  try {
    const answer = await fetch(`${basePath()}/api/v1/recognise`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ files: heads.map(({ readable: _, ...head }) => head) }),
      signal: AbortSignal.timeout(patience),
    });
    if (!answer.ok) throw new Refusal(parseProblem(await answer.text(), answer.status));
    const known = understood((await answer.json()) as Answer);
    heads.forEach(({ readable }, i) => {
      const file = known.files[i];
      if (file && !readable) Object.assign(file, unreadable);
    });
    return known;
  } catch (error) {
    return unasked(files.length, error instanceof Refusal ? error.message : "");
  }
}

const unreadable = {
  is: "unknown",
  describe: "cannot be read",
  doubt: "The browser cannot read this file.",
} as const;

/** The beginning of a file; of one that cannot be read, that of an empty one. */
async function headOf(file: File) {
  try {
    const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    return { name: file.name, size: file.size, bytes: btoa(String.fromCharCode(...bytes)), readable: true };
  } catch {
    return { name: file.name, size: 0, bytes: "", readable: false };
  }
}

/** The server's answer in the page's terms. */
export function understood({ files, groups }: Answer): Recognition {
  const known = files.map(({ claimed_by: _, finding, ...file }, i): Known => {
    const home = groups.findIndex((group) => group.includes(i));
    return { ...file, home, claimedBy: [], ...(finding && { doubt: doubtOf(file.is, finding) }) };
  });
  files.forEach(({ claimed_by }, i) => {
    const file = known[i];
    if (file) file.claimedBy = claimed_by.flatMap((n) => known[n] ?? []);
  });
  return { files: known, groups: groups.map((group) => group.toSorted((a, b) => a - b)) };
}

/** What is wrong with a profile, and what to do; of what is none, what to do instead. */
function doubtOf(is: Known["is"], { message, remedy }: Finding): string {
  const said = is === "profile" || is === "empty" || !remedy ? [message, remedy] : [remedy];
  return said.flatMap((text) => (text ? sentence(text) : [])).join(" ");
}

/** Files of which nothing is known: the server groups what comes. */
function unasked(files: number, why: string): Recognition {
  const file: Known = { is: "unasked", describe: "", whole: true, claimedBy: [], home: 0 };
  return {
    files: Array.from({ length: files }, () => ({ ...file })),
    groups: allInOne(files),
    note: `The server could not be asked what these files are${why && `: ${why}`}. It finds out when it has them.`,
  };
}
