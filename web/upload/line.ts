import { type Finding, type Profile, pageOf, percentOf, progressWords } from "../api/api";
import { button, el } from "../dom";
import { matchedNode } from "../sources/send";
import { sentence } from "./size";

/** The live line of one group while it is sent and decoded. */
export class Line {
  readonly node: HTMLElement;
  private readonly state = el("p", { class: "line-state" });
  private readonly bar = el("progress", { max: "100", "aria-label": "Progress" });
  private readonly tools = el("span", { class: "file-tools" });

  constructor(
    name: string,
    private readonly say: (text: string) => void,
  ) {
    const title = el("span", { class: "line-name" }, name);
    this.node = el(
      "div",
      { class: "upload-line", "data-testid": "upload-line" },
      title,
      this.tools,
      this.bar,
      this.state,
    );
    this.set("waiting", 0);
  }

  /** What it is at, and how far: 0 to 100, or nothing when that is not known. */
  set(text: string, percent?: number): void {
    if (this.state.textContent !== text) this.state.textContent = text;
    if (percent === undefined) this.bar.removeAttribute("value");
    else this.bar.value = percent;
  }

  sending(fraction: number): void {
    if (fraction < 1) this.set(`sending ${Math.floor(fraction * 100)} %`, fraction * 100);
    else this.set("sent; the server is storing and identifying the files");
  }

  progress(profile: Profile): void {
    this.set(progressWords(profile), percentOf(profile));
  }

  /** The end of an upload that the server has: a link, and the token once. */
  finish(profiles: readonly Profile[]): void {
    this.bar.remove();
    const failed = profiles.filter((p) => p.status === "failed").length;
    const text =
      failed === 0
        ? "ready"
        : failed < profiles.length
          ? `${failed} of ${profiles.length} could not be decoded`
          : "stored, but could not be decoded";
    this.state.remove();
    this.tools.replaceChildren(el("span", { class: failed ? "tag tag-bad" : "tag tag-ok" }, text));
    for (const profile of profiles) this.node.append(this.receipt(profile));
    this.say(`${this.node.querySelector(".line-name")?.textContent}: ${text}`);
  }

  fail(text: string, again?: () => void): void {
    this.bar.remove();
    this.state.replaceChildren(el("span", { class: "line-error" }, text));
    if (again) this.tools.replaceChildren(button("Try again", "button button-small", again));
    this.say(text);
  }

  private receipt(profile: Profile): HTMLElement {
    const link = profile.link ?? new URL(pageOf(profile.id), location.href).href;
    const facts = el("dl", { class: "facts", "data-testid": "upload-receipt" });
    if (profile.describe) facts.append(fact("Recognised as", profile.describe));
    const { matched } = profile;
    if (matched)
      facts.append(fact("Sources", typeof matched === "string" ? sentence(matched) : matchedNode(matched)));
    const finding = profile.findings.find((f) => f.severity === "error");
    if (finding && profile.status === "failed") facts.append(...reasons(finding));
    const linkId = `link-${profile.id}`;
    facts.append(
      fact(
        "Link",
        el("a", { id: linkId, href: pageOf(profile.id) }, link),
        copyButton(linkId, "Copy the link"),
      ),
    );
    if (profile.delete_token) {
      const tokenId = `token-${profile.id}`;
      const token = el(
        "code",
        { id: tokenId, class: "copyable", "data-testid": "delete-token" },
        profile.delete_token,
      );
      const note = el("p", { class: "dim" }, "Shown only once; this browser keeps it too.");
      facts.append(fact("Delete token", token, copyButton(tokenId, "Copy the delete token"), note));
    }
    const open = el(
      "a",
      { class: "button button-primary", href: pageOf(profile.id), "data-testid": "open-profile" },
      profile.status === "failed" ? "See what is wrong" : "Open the profile",
    );
    return el("div", { class: "line-done" }, facts, open);
  }
}

function fact(term: string, ...value: (Node | string)[]): HTMLElement {
  return el("div", {}, el("dt", {}, term), el("dd", {}, ...value));
}

function reasons(finding: Finding): HTMLElement[] {
  const lines: [string, string | undefined][] = [
    ["Why", finding.message],
    ["Likely cause", finding.cause],
    ["What to do", finding.remedy],
  ];
  return lines.flatMap(([term, text]) => (text ? [fact(term, sentence(text))] : []));
}

function copyButton(id: string, label: string): HTMLElement {
  return el(
    "button",
    { type: "button", class: "button button-small", "data-copy": `#${CSS.escape(id)}`, "aria-label": label },
    "Copy",
  );
}
