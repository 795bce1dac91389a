import { follow, type Profile, percentOf, progressWords } from "../api/api";
import { need } from "../dom";

/** Renews a page of a profile that is being decoded when that is done. */
export async function renew(notice: HTMLElement): Promise<void> {
  await follow(notice.dataset["profile"] ?? "", () => undefined, new AbortController().signal);
  location.reload();
}

/** The page of a profile on its way: it follows the decoding, and becomes the profile. */
export class Progress {
  private readonly bar: HTMLProgressElement;
  private readonly text: HTMLElement;
  private readonly live: HTMLElement;
  private said = "";

  constructor(private readonly root: HTMLElement) {
    this.bar = need(root, "[data-progress-bar]");
    this.text = need(root, "[data-progress-text]");
    this.live = need(root, "[data-progress-live]");
    void this.run(root.dataset["profile"] ?? "");
  }

  private async run(id: string): Promise<void> {
    for (;;) {
      try {
        await follow(id, (profile) => this.show(profile), new AbortController().signal);
        break;
      } catch {
        // A server that restarts takes the work up again.
        this.text.textContent = "the server does not answer; retrying";
        await new Promise((resolve) => setTimeout(resolve, 3000));
        if (document.hidden) continue;
      }
    }
    location.reload();
  }

  /** Once the records are read, there may soon be a preview to look at. */
  private preview(stage: string): void {
    if ((stage === "indexing" || stage === "writing") && this.said !== "")
      setTimeout(() => location.reload(), 500);
  }

  private show(profile: Profile): void {
    const at = profile.progress;
    if (!at) return;
    const percent = percentOf(profile);
    if (percent === undefined) this.bar.removeAttribute("value");
    else this.bar.value = percent;
    this.text.textContent =
      at.queued > 0 ? `${at.queued} in the queue` : percent === undefined ? "" : `${percent} %`;
    const steps = [...this.root.querySelectorAll<HTMLElement>("[data-step]")];
    const now = steps.findIndex((step) => step.dataset["step"] === at.stage);
    steps.forEach((step, i) => {
      step.className = i < now ? "step-done" : i === now ? "step-now" : "step-ahead";
      const known = profile.describe || at.describe;
      if (step.dataset["step"] === "recognised" && known) need(step, "[data-step-note]").textContent = known;
    });
    // Said once a stage, not once a percent.
    if (at.stage !== this.said) {
      this.preview(at.stage);
      this.said = at.stage;
      this.live.textContent = progressWords(profile);
    }
  }
}
