// The merged call tree as the API has it, and as it is drawn: columns in
// preorder, so that what is below a node stands right after it.

/** What the width of a frame is: a column of the answer. lifetime is in byte-seconds. */
export type Weight = string;

/** A place in a function, or an address. */
export interface Frame {
  name: string;
  linkage?: string;
  function?: string; // NameRef, 16 hexadecimal digits
  module?: string;
  file?: string;
}

/** Figures of nodes by column; base and test are the sides of two profiles. */
export type Columns = Readonly<Record<string, Float64Array | undefined>>;

/** The answer of the API; a figure that the profile does not have is missing. */
export interface Answer {
  frames: Frame[];
  nodes: Nodes & { [figure: string]: number[] | string[] | boolean[] | undefined };
}

interface Nodes {
  id: string[];
  inline?: boolean[];
  parent?: number[];
  frame?: number[];
  hidden?: number[];
  width?: number[];
  self?: number[]; // made of widths here, as more of the tree is loaded
  hidden_children?: number[];
}

type Column = Float64Array | Int32Array | Uint8Array;

/** Fills a column with numbers over a scale, much faster than `from` with a function does. */
function fill<C extends Column>(column: C, numbers: readonly (number | boolean)[], scale = 1): C {
  const n = Math.min(column.length, numbers.length);
  for (let i = 0; i < n; i++) column[i] = Number(numbers[i]) / scale;
  return column;
}

/** A call tree. Node 0 is its root; of siblings the heaviest stands first. */
export class Graph {
  /** The node after the last one below each node. */
  readonly end: Int32Array;
  readonly depth: Int32Array;
  readonly levels: number;

  private constructor(
    readonly frames: Frame[],
    readonly ids: string[],
    readonly parent: Int32Array,
    readonly frame: Int32Array,
    /** How many nodes below each node were left out by the server. */
    readonly hidden: Float64Array,
    readonly inline: Uint8Array,
    readonly values: Columns,
    /** What the root stands for. */
    private readonly all: string,
  ) {
    const n = ids.length;
    this.end = new Int32Array(n);
    this.depth = new Int32Array(n);
    let levels = 0;
    for (let i = 0; i < n; i++) {
      const above = parent[i] ?? -1;
      this.depth[i] = above < 0 ? 0 : (this.depth[above] ?? 0) + 1;
      levels = Math.max(levels, (this.depth[i] ?? 0) + 1);
      this.end[i] = i + 1;
    }
    for (let i = n - 1; i > 0; i--) {
      const above = parent[i] ?? 0;
      this.end[above] = Math.max(this.end[above] ?? 0, this.end[i] ?? 0);
    }
    this.levels = levels;
  }

  /**
   * Reads an answer, and refuses one whose nodes are not a tree in preorder. Of two
   * profiles the weight is that of the test profile, and widths are a column of their own.
   */
  static read(answer: Answer, weight?: Weight, all = "all"): Graph {
    const {
      id,
      inline,
      parent,
      frame,
      hidden,
      width,
      self: _self,
      hidden_children: _cut,
      ...rest
    } = answer.nodes;
    if (width && weight) Object.assign(rest, { test: rest[weight], [weight]: width });
    const n = id.length;
    const above = fill(new Int32Array(n), parent ?? []);
    if (n === 0 || parent?.length !== n) throw new Error("the tree has no root");
    for (let i = 0; i < n; i++) {
      const to = above[i] ?? -1;
      if (i === 0 ? to !== -1 : to < 0 || to >= i) throw new Error(`node ${i} is below node ${to}`);
    }
    const values: Record<string, Float64Array> = {};
    for (const [key, column] of Object.entries(rest as Record<string, number[] | undefined>)) {
      const timed = key === "lifetime" || (weight === "lifetime" && (key === "base" || key === "test"));
      const scale = timed ? 1000 : 1; // the API has byte-milliseconds
      if (column?.length === n) values[key] = fill(new Float64Array(n), column, scale);
    }
    const counts = fill(new Float64Array(n), hidden?.length === n ? hidden : []);
    const inlined = fill(new Uint8Array(n), inline ?? []);
    const places = fill(new Int32Array(n).fill(-1), frame ?? []);
    return new Graph(answer.frames, id, above, places, counts, inlined, values, all);
  }

  get size(): number {
    return this.ids.length;
  }

  value(weight: Weight, node: number): number {
    return this.values[weight]?.[node] ?? 0;
  }

  /** What a node's own frames weigh: not what they called, so far as it is known. */
  self(weight: Weight, node: number): number {
    let rest = this.value(weight, node);
    for (const child of this.children(node)) rest -= this.value(weight, child);
    return Math.max(rest, 0);
  }

  frameOf(node: number): Frame | undefined {
    return this.frames[this.frame[node] ?? -1];
  }

  /** What a node is called. */
  nameOf(node: number): string {
    return this.frameOf(node)?.name ?? (node === 0 ? this.all : "unknown");
  }

  /** The node with an id, -1 where there is none. */
  find(id: string): number {
    return this.ids.indexOf(id);
  }

  *children(node: number): Generator<number> {
    const end = this.end[node] ?? 0;
    for (let child = node + 1; child < end; child = this.end[child] ?? end) yield child;
  }

  firstChild(node: number): number {
    return node + 1 < (this.end[node] ?? 0) ? node + 1 : -1;
  }

  /** The sibling that stands before or after a node, -1 at the ends. */
  sibling(node: number, after: boolean): number {
    const above = this.parent[node] ?? -1;
    if (above < 0) return -1;
    if (after) {
      const next = this.end[node] ?? 0;
      return next < (this.end[above] ?? 0) ? next : -1;
    }
    let before = -1;
    for (const child of this.children(above)) {
      if (child === node) return before;
      before = child;
    }
    return -1;
  }

  /** The nodes from the root to a node. */
  path(node: number): number[] {
    const up: number[] = [];
    for (let at = node; at >= 0; at = this.parent[at] ?? -1) up.unshift(at);
    return up;
  }

  /**
   * A copy in which what is below a node is what another answer knows of it.
   * It is this graph itself where the other one does not have the node.
   */
  graft(node: number, other: Graph): Graph {
    const from = other.find(this.ids[node] ?? "");
    if (from < 0) return this;
    const [to, stop] = [this.end[node] ?? 0, other.end[from] ?? 0];
    const grown = stop - from - (to - node);
    const frames = [...this.frames, ...other.frames];
    const join = <C extends Column>(mine: C, theirs: C): C => {
      const joined = new (mine.constructor as new (length: number) => C)(mine.length + grown);
      joined.set(mine.subarray(0, node));
      joined.set(theirs.subarray(from, stop), node);
      joined.set(mine.subarray(to), node + stop - from);
      return joined;
    };
    const parent = join(this.parent, other.parent);
    const frame = join(this.frame, other.frame);
    for (let i = node; i < node + stop - from; i++) {
      parent[i] = i === node ? (this.parent[node] ?? -1) : (parent[i] ?? 0) - from + node;
      if ((frame[i] ?? -1) >= 0) frame[i] = (frame[i] ?? 0) + this.frames.length;
    }
    for (let i = node + stop - from; i < parent.length; i++) {
      if ((parent[i] ?? 0) >= to) parent[i] = (parent[i] ?? 0) + grown;
    }
    const values: Record<string, Float64Array> = {};
    for (const [key, mine] of Object.entries(this.values)) {
      const theirs = other.values[key];
      if (mine && theirs) values[key] = join(mine, theirs);
    }
    const ids = this.ids.slice(0, node).concat(other.ids.slice(from, stop), this.ids.slice(to));
    const hidden = join(this.hidden, other.hidden);
    const inline = join(this.inline, other.inline);
    return new Graph(frames, ids, parent, frame, hidden, inline, values, this.all);
  }
}
