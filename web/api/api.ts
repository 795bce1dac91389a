// The parts of the JSON API that scripts here use.

import type { Remembered } from "../library/library";
import type { Matched } from "../sources/send";

export interface Finding {
  severity: string;
  code: string;
  kind?: string;
  message: string;
  cause?: string;
  remedy?: string;
}

/** A profile as the API has it; link and delete_token in the answer to its upload only. */
export interface Profile {
  id: string;
  name: string;
  status: "received" | "decoding" | "ready" | "failed" | "expired" | "deleted";
  pending: boolean;
  progress?: Progress;
  describe: string;
  functions: number;
  findings: Finding[];
  link?: string;
  delete_token?: string;
  /** What came of its sources, or why nothing did: not of the API. */
  matched?: Matched | string;
}

export interface Progress {
  stage: string;
  percent: number;
  queued: number;
  describe?: string;
}

/** problem+json. */
export interface Problem {
  title: string;
  status: number;
  detail: string;
  kind: string;
  id?: string;
  link?: string;
  delete_token?: string;
  finding?: Finding;
  request_id?: string;
}

/** An answer that is not what was asked for, in words for a person. */
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

/** The path that all addresses begin with; mostly there is none. */
export const basePath = () => globalThis.document?.documentElement?.dataset["root"] ?? "";

export const pageOf = (id: string) => `${basePath()}/p/${encodeURIComponent(id)}`;
export const apiOf = (id: string) => `${basePath()}/api/v1/profiles/${encodeURIComponent(id)}`;

export async function getProfile(id: string, signal?: AbortSignal): Promise<Profile> {
  const answer = await fetch(apiOf(id), {
    headers: { Accept: "application/json" },
    cache: "no-store",
    signal: signal ?? null,
  });
  if (!answer.ok) throw new Refusal(await problemOf(answer));
  return (await answer.json()) as Profile;
}

export async function deleteProfile(profile: Remembered): Promise<void> {
  const answer = await fetch(apiOf(profile.id), {
    method: "DELETE",
    headers: { "X-Delete-Token": profile.token ?? "" },
  });
  if (!answer.ok) throw new Refusal(await problemOf(answer));
}

async function problemOf(answer: Response): Promise<Problem> {
  return parseProblem(await answer.text(), answer.status);
}

/** Reads an error's body; what is not problem+json (a proxy's page) is named by its status. */
export function parseProblem(body: string, status: number): Problem {
  try {
    const parsed = JSON.parse(body) as Partial<Problem> | null;
    if (parsed && typeof parsed.title === "string") {
      return { detail: "", kind: "", ...parsed, title: parsed.title, status };
    }
  } catch {
    // Not JSON.
  }
  const title = statusWords[status] ?? `The server answered ${status}`;
  return { title, status, detail: title, kind: "" };
}

const statusWords: Record<number, string> = {
  0: "Cannot reach the server",
  401: "This server needs an upload token",
  404: "No such profile",
  410: "The profile is gone",
  413: "The upload is too large for this server or a proxy in front of it",
  429: "Too many requests; try again in a while",
  502: "The proxy cannot reach the server",
  503: "The server is too busy; try again in a while",
  504: "The proxy gave up waiting for the server",
};

const stageWords: Record<string, string> = {
  reading: "reading records",
  indexing: "building indexes",
  writing: "writing tables",
};

/** How far the present stage is; nothing where that is not known. */
export function percentOf(profile: Profile): number | undefined {
  return profile.progress?.percent || undefined;
}

/** What a person is told of a profile's way, and how far it is; 1 is the whole. */
export function progressWords(profile: Profile): string {
  const at = profile.progress;
  if (profile.status === "ready") return "ready";
  if (profile.status === "failed") return "could not be decoded";
  if (!at) return profile.status;
  const known = profile.describe || at.describe;
  const what = known ? `recognised as ${known}` : "received";
  if (at.stage === "received" && at.queued > 0) return `${what} · waiting, ${at.queued} in the queue`;
  if (at.stage === "received" || at.stage === "recognised") return what;
  // At 0 it may be that nobody knows how far it is.
  return `${what} · ${stageWords[at.stage] ?? at.stage}${at.percent > 0 ? ` ${at.percent} %` : ""}`;
}

/** Asks again and again until the profile is ready or failed; each answer goes to seen. */
export async function follow(
  id: string,
  seen: (profile: Profile) => void,
  signal: AbortSignal,
): Promise<Profile> {
  for (let wait = 250; ; wait = Math.min(wait * 1.4, 2500)) {
    const profile = await getProfile(id, signal);
    seen(profile);
    if (profile.status === "failed" || (profile.status === "ready" && !profile.pending)) return profile;
    await new Promise((resolve) => setTimeout(resolve, wait));
    signal.throwIfAborted();
  }
}
