/** One file of examples, as the index of a hosted server lists it. */
export interface MockEntry {
  /** Empty for the only one. */
  readonly name: string;
  readonly source: string;
  readonly access: "public" | "private";
  readonly problem?: string;
  readonly notes: readonly string[];
  /** Left out of a private one without its key. */
  readonly operations?: readonly OperationEntry[];
}

export interface OperationEntry {
  readonly method: string;
  /** With its wildcards. */
  readonly path: string;
  /** An address to try. */
  readonly url: string;
  readonly examples: readonly ExampleEntry[];
}

export interface ExampleEntry {
  readonly name: string;
  readonly status: number;
  readonly type?: string;
}

/** Those whose method, path or examples contain every word. */
export function matchingOperations(operations: readonly OperationEntry[], wanted: string): readonly OperationEntry[] {
  const words = wanted.toLowerCase().split(/\s+/);
  return operations.filter(({ method, path, examples }) => {
    const texts = [method, path, ...examples.map(({ name, status }) => `${status} ${name}`)];
    const text = texts.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
