import { button, el } from "../dom";
import type { Folder } from "../sources/folder";
import { promise } from "../sources/send";
import { allInOne, describeGroup, type Groups, leftOut, move, oneEach, without } from "./group";
import type { Known, Recognition } from "./recognise";
import { plural, size } from "./size";

/** Shows what was chosen, before anything is sent: one line a file, in groups that can be changed. */
export class Review {
  readonly files: File[];
  readonly known: Known[];
  groups: Groups;
  private folders: readonly Folder[] = [];
  private recognised: Groups;
  private readonly note: string | undefined;
  private readonly headingId = "upload-heading";

  constructor(
    private readonly stage: HTMLElement,
    files: readonly File[],
    recognition: Recognition,
    private readonly maxBytes: number,
    private readonly actions: Record<"send" | "cancel" | "add" | "addFolder" | "withoutFolders", () => void>,
  ) {
    this.files = [...files];
    this.known = [...recognition.files];
    this.groups = this.recognised = recognition.groups;
    this.note = recognition.note;
    this.render();
  }

  /** Puts the focus on the heading, so that what appeared is read out. */
  focus(): void {
    this.stage.querySelector<HTMLElement>("h2")?.focus();
  }

  /** Whether a profile's files have more bytes than the server takes at once. */
  get tooLarge(): boolean {
    return this.groups.some((group) => this.over(group));
  }

  /** Shows the folders of sources, and what is sent of them. */
  setFolders(folders: readonly Folder[]): void {
    if (folders.length === this.folders.length) return;
    this.folders = folders;
    this.render();
  }

  private sources(): HTMLElement[] {
    if (this.folders.length === 0) return [];
    const names = this.folders.map(({ name }) => name).join(", ");
    const remove = button("Remove", "button button-small", () => {
      this.actions.withoutFolders();
      this.setFolders([]);
      this.focus();
    });
    remove.ariaLabel = `Remove the sources in ${names}`;
    const line = el(
      "div",
      { class: "upload-file" },
      el("span", { class: "file-name" }, `${names}/`),
      el("span", { class: "file-kind" }, "sources"),
      el("span", { class: "file-size" }, ""),
      el("span", { class: "file-tools" }, remove),
      el("span", { class: "upload-note" }, promise),
    );
    return [
      el(
        "section",
        { class: "upload-group", "aria-label": "Sources", "data-testid": "upload-sources" },
        line,
      ),
    ];
  }

  private bytesOf(group: readonly number[]): number {
    return group.reduce((sum, i) => sum + (this.files[i]?.size ?? 0), 0);
  }

  private over(group: readonly number[]): boolean {
    return this.maxBytes > 0 && this.bytesOf(group) > this.maxBytes;
  }

  private render(focusFile?: number): void {
    const { files, groups } = this;
    const what = `${plural(files.length, "file", "files")}, ${plural(groups.length, "profile", "profiles")}`;
    const heading = el("h2", { id: this.headingId, tabindex: "-1" }, what);
    const tools = el("div", { class: "segments", role: "group", "aria-label": "How files become profiles" });
    if (files.length > 1) {
      tools.append(...this.arrangements().map(([text, arranged]) => this.arrange(text, arranged)));
    }
    const head = el("div", { class: "upload-head" }, heading, files.length > 1 ? tools : el("span"));
    const send = button(
      groups.length > 1 ? `Upload ${groups.length} profiles` : "Upload",
      "button button-primary",
      this.actions.send,
    );
    send.disabled = this.tooLarge;
    const foot = el(
      "div",
      { class: "upload-foot actions" },
      send,
      button("Add files…", "button", this.actions.add),
      button("Add sources…", "button", this.actions.addFolder),
      button("Cancel", "button", this.actions.cancel),
    );
    const note = this.note ? [el("p", { class: "upload-group upload-note" }, this.note)] : [];
    this.stage.replaceChildren(
      head,
      ...note,
      ...groups.map((group, i) => this.group(group, i)),
      ...this.sources(),
      foot,
    );
    this.stage.hidden = false;
    if (focusFile !== undefined) this.stage.querySelector<HTMLElement>(`[data-file="${focusFile}"]`)?.focus();
  }

  /** The ways to arrange the files at once, without those that come to the same. */
  private arrangements(): [string, Groups][] {
    const all: [string, Groups][] = [
      ["As recognised", this.recognised],
      ["All in one", allInOne(this.files.length)],
      ["One per file", oneEach(this.files.length)],
    ];
    const seen = new Set<string>();
    return all.filter(([, groups]) => {
      const key = JSON.stringify(groups);
      return !seen.has(key) && seen.add(key);
    });
  }

  private arrange(text: string, groups: Groups): HTMLButtonElement {
    const node = button(text, "", () => {
      this.groups = groups;
      this.render();
      this.focus();
    });
    node.ariaPressed = String(JSON.stringify(groups) === JSON.stringify(this.groups));
    return node;
  }

  private group(group: readonly number[], index: number): HTMLElement {
    const note = describeGroup(group, this.known);
    const title = el("h3", {}, `Profile ${index + 1}`, note ? el("span", {}, note) : undefined);
    const node = el("section", {
      class: "upload-group",
      "aria-label": `Profile ${index + 1}`,
      "data-testid": "upload-group",
    });
    if (this.groups.length > 1 || note) node.append(title);
    node.append(...group.map((i) => this.file(i, index)));
    if (this.over(group)) {
      const text = `These files have ${size(this.bytesOf(group))}; the limit per upload is ${size(this.maxBytes)}. Compress them or send fewer at once.`;
      node.append(el("p", { class: "upload-note" }, text));
    }
    return node;
  }

  private file(number: number, inGroup: number): HTMLElement | string {
    const [file, known] = [this.files[number], this.known[number]];
    if (!file || !known) return "";
    const group = this.groups[inGroup] ?? [];
    const out = leftOut(number, group, this.known);
    const completes = known.is === "companion" && !out && group.some((i) => this.known[i]?.is === "profile");
    const note = [out ? "It will be left out." : "", completes ? "" : (known.doubt ?? "")].join(" ").trim();
    const tools = el("span", { class: "file-tools" });
    if (this.files.length > 1) tools.append(this.groupSelect(number, inGroup, file.name));
    const remove = button("Remove", "button button-small", () => this.remove(number));
    remove.ariaLabel = `Remove ${file.name}`;
    tools.append(remove);
    return el(
      "div",
      { class: "upload-file", "data-testid": "upload-file" },
      el("span", { class: "file-name" }, file.name),
      el("span", { class: "file-kind" }, known.describe),
      el("span", { class: "file-size" }, size(file.size)),
      tools,
      note ? el("span", { class: "upload-note" }, note) : undefined,
    );
  }

  private groupSelect(number: number, inGroup: number, name: string): HTMLSelectElement {
    const select = el("select", {
      class: "select",
      "aria-label": `Profile for ${name}`,
      "data-file": String(number),
    });
    this.groups.forEach((_, i) => {
      select.append(el("option", { value: String(i), selected: i === inGroup }, `Profile ${i + 1}`));
    });
    if ((this.groups[inGroup]?.length ?? 0) > 1) {
      select.append(el("option", { value: String(this.groups.length) }, "Separate profile"));
    }
    select.addEventListener("change", () => {
      this.groups = move(this.groups, number, Number(select.value));
      this.render(number);
    });
    return select;
  }

  private remove(number: number): void {
    this.files.splice(number, 1);
    this.known.splice(number, 1);
    if (this.files.length === 0) {
      this.actions.cancel();
      return;
    }
    this.groups = without(this.groups, number);
    this.recognised = without(this.recognised, number);
    this.render();
    this.focus();
  }
}
