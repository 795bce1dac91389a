/** As many bytes of a file as the page reads. */
export const headBytes = 4096;

/** The beginning of a file, with its name and the size of all of it. */
export class Head {
  /** The bytes, a character each. */
  readonly text: string;
  private readonly view: DataView;

  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
    readonly size: number,
  ) {
    this.text = String.fromCharCode(...bytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  starts(...prefixes: string[]): boolean {
    return prefixes.some((prefix) => this.text.startsWith(prefix));
  }

  named(ending: string): boolean {
    return this.name.toLowerCase().endsWith(ending);
  }

  /** Numbers at an offset; none where the beginning ends before. */
  u16 = (at: number): number | undefined => (this.has(at, 2) ? this.view.getUint16(at, true) : undefined);
  u32 = (at: number, little = true): number | undefined =>
    this.has(at, 4) ? this.view.getUint32(at, little) : undefined;
  u64 = (at: number, little = true): bigint | undefined =>
    this.has(at, 8) ? this.view.getBigUint64(at, little) : undefined;

  private has(at: number, bytes: number): boolean {
    return at >= 0 && at + bytes <= this.bytes.length;
  }
}
