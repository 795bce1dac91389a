import { basePath, type Profile, parseProblem, Refusal } from "../api/api";

/** One group on its way to the server. */
export interface Sending {
  done: Promise<Profile[]>;
  cancel(): void;
}

/** Thrown when the user cancels. */
export class Canceled extends Error {}

/**
 * Sends files as one request; fields go first, since a token must come before
 * files. opens says that the profile's page comes next. XMLHttpRequest, because fetch does not tell how much was sent.
 */
export function send(
  fields: [string, string][],
  files: readonly File[],
  sent: (fraction: number) => void,
  opens: boolean,
): Sending {
  const body = new FormData();
  for (const [name, value] of fields) {
    if (value !== "") body.append(name, value);
  }
  for (const file of files) body.append("file", file, file.name);
  const request = new XMLHttpRequest();
  const done = new Promise<Profile[]>((resolve, reject) => {
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable && event.total > 0) sent(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      try {
        resolve(uploaded(request.status, request.responseText));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener("error", () => reject(new Refusal(parseProblem("", 0))));
    request.addEventListener("abort", () => reject(new Canceled()));
  });
  request.open("POST", `${basePath()}/api/v1/profiles?wait=0s`);
  request.setRequestHeader("Accept", "application/json");
  // The page that opens by itself is where its delete token is shown, once.
  if (opens) request.setRequestHeader("Proflens-Receipt", "page");
  request.send(body);
  return { done, cancel: () => request.abort() };
}

/**
 * The profiles of an answer. What was stored but cannot be decoded comes with
 * 422, in a list or as a problem with its id, and is a profile all the same.
 */
export function uploaded(status: number, body: string): Profile[] {
  if (status >= 200 && status < 300) {
    const answer = JSON.parse(body) as Profile | { items: Profile[] };
    return "items" in answer ? answer.items : [answer];
  }
  const list = listed(body);
  if (list) return list;
  const problem = parseProblem(body, status);
  if (!problem.id) throw new Refusal(problem);
  const failed: Profile = {
    id: problem.id,
    name: "",
    status: "failed",
    pending: false,
    describe: "",
    functions: 0,
    findings: [problem.finding ?? { severity: "error", code: "", message: problem.detail }],
  };
  if (problem.link) failed.link = problem.link;
  if (problem.delete_token) failed.delete_token = problem.delete_token;
  return [failed];
}

/** The profiles of a list, whatever its status is. */
function listed(body: string): Profile[] | undefined {
  try {
    const answer = JSON.parse(body) as { items?: unknown } | null;
    if (Array.isArray(answer?.items) && answer.items.length > 0) return answer.items as Profile[];
  } catch {
    // Not JSON: a proxy's page.
  }
  return undefined;
}
