import { follow, type Profile, pageOf, Refusal } from "../api/api";
import { button, el, need } from "../dom";
import { storedEvent } from "../home/list";
import type { Library } from "../library/library";
import { chosenFolder, collect, droppedFolder, type Folder, fileOf } from "../sources/folder";
import { type Matched, sendSources } from "../sources/send";
import { groupField, obvious } from "./group";
import { Line } from "./line";
import { type Recognition, recognise } from "./recognise";
import { Review } from "./review";
import { Canceled, type Sending, send } from "./send";

/** The drop target of the home page: from files to links. */
export class Upload {
  private readonly input: HTMLInputElement;
  private readonly stage: HTMLElement;
  private readonly live: HTMLElement;
  private review: Review | undefined;
  private asked: readonly File[] = []; // about which the server is being asked
  private stop: AbortController | undefined; // while something is under way
  private depth = 0; // of dragenter without dragleave
  private folders: readonly Folder[] = []; // of sources
  private readonly folderInput = el("input", {
    type: "file",
    webkitdirectory: true,
    hidden: true,
    "data-upload-folder": true,
  });

  constructor(
    private readonly form: HTMLFormElement,
    private readonly kept: Library,
  ) {
    this.input = need(form, "[data-upload-input]");
    this.stage = need(form, "[data-upload-stage]");
    this.live = need(form, "[data-upload-live]");
    this.input.required = false; // what was chosen is in the review, and the input is empty again
    this.input.addEventListener("change", () => this.choose([...(this.input.files ?? [])]));
    this.folderInput.addEventListener("change", () => {
      if (this.folderInput.files?.length) this.addFolders([chosenFolder(this.folderInput.files)]);
      this.folderInput.value = "";
    });
    form.append(this.folderInput);
    // Enter in a field of the options.
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.review) void this.send();
      else this.input.click();
    });
    addEventListener("beforeunload", (event) => {
      if (this.stop) event.preventDefault();
    });
    this.acceptDrops();
  }

  private acceptDrops(): void {
    const root = document.documentElement;
    const drag = (on: boolean) => root.toggleAttribute("data-dragging", on);
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener("dragenter", (event) => {
      if (!hasFiles(event)) return;
      this.depth++;
      drag(true);
    });
    addEventListener("dragover", (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
    addEventListener("dragleave", (event) => {
      if (!hasFiles(event)) return;
      this.depth = Math.max(0, this.depth - 1);
      drag(this.depth > 0);
    });
    addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.depth = 0;
      drag(false);
      void this.drop(event.dataTransfer);
    });
  }

  /** Takes a drop: a folder beside files is one of sources, else its files are chosen. */
  private async drop(transfer: DataTransfer | null): Promise<void> {
    const entries = [...(transfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
    const plain = [...(transfer?.files ?? [])];
    const folders = entries.filter((entry) => entry.isDirectory);
    if (folders.length === 0) {
      await this.choose(plain);
      return;
    }
    const beside = folders.length < entries.length || this.review || this.asked.length > 0;
    if (beside) this.addFolders(await Promise.all(folders.map(droppedFolder)));
    const found: FileSystemEntry[] = [];
    for (const entry of entries) {
      if (entry.isFile || !beside) await collect(entry, found, maxFiles);
    }
    await this.choose(await Promise.all(found.map(fileOf)));
  }

  private addFolders(folders: readonly Folder[]): void {
    if (this.stop) return;
    this.folders = [...this.folders, ...folders];
    this.review?.setFolders(this.folders);
  }

  /** Asks the server what the files are, and shows it where there is a choice. */
  private async choose(files: File[]): Promise<void> {
    if (files.length === 0 || this.stop) return;
    const all = [...(this.asked.length > 0 ? this.asked : (this.review?.files ?? [])), ...files];
    this.asked = all;
    this.input.value = "";
    this.wait();
    const known = await recognise(all);
    if (this.asked !== all) return; // more were chosen meanwhile
    this.asked = [];
    this.stage.inert = false;
    const opens = !this.review && this.clear(all, known);
    const actions = {
      send: () => void this.send(),
      cancel: () => this.reset(),
      add: () => this.input.click(),
      addFolder: () => this.folderInput.click(),
      withoutFolders: () => {
        this.folders = [];
      },
    };
    this.review = new Review(this.stage, all, known, Number(this.form.dataset["maxBytes"]), actions);
    this.review.setFolders(this.folders);
    if (opens) {
      await this.send(true);
      return;
    }
    this.review.focus();
    this.stage.scrollIntoView({ block: "nearest" });
  }

  /** Until the server has answered, nothing can be changed. */
  private wait(): void {
    this.stage.inert = true;
    if (this.review) return;
    this.stage.replaceChildren(el("p", { class: "upload-group dim" }, "Looking at the files…"));
    this.stage.hidden = false;
  }

  /** Whether files can be sent as they are: there is nothing to ask or to say, and nothing to fill in. */
  private clear(files: readonly File[], known: Recognition): boolean {
    if (this.folders.length > 0) return false;
    const most = Number(this.form.dataset["maxBytes"]);
    const total = files.reduce((sum, { size }) => sum + size, 0);
    return obvious(known.files, known.groups) && (most === 0 || total <= most) && this.form.checkValidity();
  }

  private reset(): void {
    this.review = undefined;
    this.folders = [];
    this.stage.hidden = true;
    this.stage.replaceChildren();
    this.input.focus();
  }

  /**
   * Sends the groups one after another; a group that fails does not stop the next.
   * opens says to go to the profile, should it become one.
   */
  private async send(opens = false): Promise<void> {
    const review = this.review;
    if (!review || review.tooLarge || this.asked.length > 0 || this.stop || !this.form.reportValidity())
      return;
    const fields = fieldsOf(this.form);
    const groups = review.groups.map((group) => ({
      files: group.flatMap((i) => review.files[i] ?? []),
      how: groupField(group, review.known),
    }));
    this.review = undefined;
    const stop = new AbortController();
    this.stop = stop;

    const heading = el("h2", { tabindex: "-1" }, "Uploading");
    const cancel = button("Cancel", "button", () => stop.abort());
    const lines = groups.map(
      (group) => new Line(group.files.map(({ name }) => name).join(", "), (text) => this.say(text)),
    );
    this.stage.replaceChildren(
      el("div", { class: "upload-head" }, heading, cancel),
      ...lines.map((line) => line.node),
    );
    heading.focus();

    const profiles: Profile[] = [];
    for (const [i, group] of groups.entries()) {
      const line = lines[i];
      // A name is for one profile; several keep their files' names.
      const own = groups.length > 1 ? fields.filter(([name]) => name !== "name") : fields;
      if (line)
        profiles.push(
          ...(await this.sendGroup(line, group.files, [...own, ["group", group.how]], stop.signal, opens)),
        );
    }
    this.stop = undefined;
    const [only] = profiles;
    if (opens && only?.status === "ready" && profiles.length === 1) {
      location.assign(pageOf(only.id));
      return;
    }
    heading.textContent = stop.signal.aborted ? "Cancelled" : "Uploaded";
    cancel.replaceWith(button("Upload more", "button", () => this.reset()));
    const open = this.stage.querySelectorAll<HTMLElement>("[data-testid=open-profile]");
    if (open.length === 1) open[0]?.focus();
  }

  private async sendGroup(
    line: Line,
    files: File[],
    fields: [string, string][],
    signal: AbortSignal,
    opens = false,
  ): Promise<Profile[]> {
    const finished: Profile[] = [];
    if (signal.aborted) {
      line.fail("not sent");
      return finished;
    }
    let sending: Sending | undefined;
    let stored = "";
    const abort = () => sending?.cancel();
    signal.addEventListener("abort", abort);
    try {
      sending = send(fields, files, (fraction) => line.sending(fraction), opens);
      const profiles = await sending.done;
      stored = pageOf(profiles[0]?.id ?? "");
      // The token is kept before anything else can go wrong.
      for (const p of profiles) {
        const token = p.delete_token ? { token: p.delete_token } : {};
        this.kept.remember({
          id: p.id,
          name: p.name || (files[0]?.name ?? p.id),
          format: p.describe,
          how: "uploaded",
          at: Date.now(),
          ...token,
        });
      }
      document.dispatchEvent(new Event(storedEvent));
      for (const p of profiles) {
        const last = p.status === "failed" ? p : await follow(p.id, (at) => line.progress(at), signal);
        const kept: Profile = {
          ...last,
          ...(p.link ? { link: p.link } : {}),
          ...(p.delete_token ? { delete_token: p.delete_token } : {}),
        };
        if (this.folders.length > 0 && last.status === "ready")
          kept.matched = await this.sendSources(line, kept, signal);
        finished.push(kept);
      }
      line.finish(finished);
    } catch (error) {
      line.fail(
        words(error, stored),
        error instanceof Refusal && !signal.aborted && !stored
          ? () => this.retry(line, files, fields)
          : undefined,
      );
    } finally {
      signal.removeEventListener("abort", abort);
    }
    return finished;
  }

  /** Sends what the profile names of the folders. A refusal does not undo the upload. */
  private async sendSources(line: Line, profile: Profile, signal: AbortSignal): Promise<Matched | string> {
    const told = (done: number, of: number) =>
      line.set(`sending sources, ${done} of ${of}`, (100 * done) / Math.max(of, 1));
    try {
      return await sendSources(profile.id, profile.delete_token ?? "", this.folders, told, signal);
    } catch (error) {
      return error instanceof Refusal ? error.message : "the folder cannot be read";
    }
  }

  private retry(line: Line, files: File[], fields: [string, string][]): void {
    if (this.stop) return;
    const stop = new AbortController();
    this.stop = stop;
    const fresh = new Line(files.map(({ name }) => name).join(", "), (text) => this.say(text));
    line.node.replaceWith(fresh.node);
    void this.sendGroup(fresh, files, fields, stop.signal).finally(() => {
      this.stop = undefined;
    });
  }

  private say(text: string): void {
    this.live.textContent = text;
  }
}

/** The form's fields but the files, the upload token first. */
function fieldsOf(form: HTMLFormElement): [string, string][] {
  const fields: [string, string][] = [];
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string" || name === "group") continue;
    if (name === "upload_token") fields.unshift([name, value]);
    else fields.push([name, value]);
  }
  return fields;
}

function words(error: unknown, stored: string): string {
  const at = stored ? ` The files are stored; see ${stored}` : "";
  if (error instanceof Canceled || (error instanceof DOMException && error.name === "AbortError"))
    return `cancelled.${at}`;
  if (error instanceof Refusal) return `${error.message}${at}`;
  return `The server sent an invalid answer.${at}`;
}

/** No folder of profiles has more. */
const maxFiles = 1000;
