/** A size with IEC units, as the server writes it: "41.2 MiB". */
export function size(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let value = bytes;
  let unit = "";
  for (const next of ["KiB", "MiB", "GiB", "TiB"]) {
    if (unit && value < 1023.95) break;
    value /= 1024;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

export function plural(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** As a sentence: a capital first, unless that is of a tool's name, and a full stop last. */
export function sentence(text: string): string {
  if (/^(llvm-|gcov |pprof |go )/.test(text)) return `${text.replace(/\.$/, "")}.`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}
