/** A folder that was chosen: its files by their paths below it. None is read until it is asked for. */
export interface Folder {
  name: string;
  paths: string[];
  file(index: number): Promise<File>;
}

/** More files than a repository has. */
const maxFiles = 500_000;

const skipped = new Set([".git", ".hg", ".svn"]);

/** The folder of an input for folders. */
export function chosenFolder(files: FileList): Folder {
  const list = [...files].filter(
    ({ webkitRelativePath: path }) => !path.split("/").some((part) => skipped.has(part)),
  );
  const [name = ""] = list[0]?.webkitRelativePath.split("/") ?? [];
  return {
    name,
    paths: list.map(({ webkitRelativePath: path }) => path.slice(path.indexOf("/") + 1)),
    file: (index) => {
      const file = list[index];
      return file ? Promise.resolve(file) : Promise.reject(new Error("no such file"));
    },
  };
}

/** The folder of a drop. */
export async function droppedFolder(root: FileSystemEntry): Promise<Folder> {
  const entries: FileSystemEntry[] = [];
  await collect(root, entries, maxFiles);
  return {
    name: root.name,
    paths: entries.map(({ fullPath }) => fullPath.slice(root.fullPath.length + 1)),
    file: (index) => fileOf(entries[index]),
  };
}

/** The file of an entry. */
export const fileOf = (entry: FileSystemEntry | undefined): Promise<File> =>
  new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));

/** Adds the files of an entry, and of the folders in it, up to a number of them. */
export async function collect(entry: FileSystemEntry, into: FileSystemEntry[], most: number): Promise<void> {
  if (into.length >= most || skipped.has(entry.name)) return;
  if (entry.isFile) {
    into.push(entry);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return;
    for (const child of batch) await collect(child, into, most);
  }
}
