import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Names the folder into which processes that tests start write what they ran. */
export const CHILDREN = "STANDIN_TEST_COVERAGE";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** By the path of a source file, the numbers of its lines that some process has run. */
export type RunLines = Record<string, number[]>;

/** Reads what V8 has written of the files of a build with source maps, and tells it in lines of the sources. */
export function linesRun(folder: string, build: string): RunLines {
  const lines = new Map<string, Set<number>>();
  const bundles = new Map<string, Bundle>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const script of scriptsIn(resolve(folder, name)).filter(({ url }) =>
      url.startsWith(pathToFileURL(build).href),
    )) {
      const file = fileURLToPath(script.url);
      const bundle = bundles.get(file) ?? new Bundle(file);
      bundles.set(file, bundle);
      bundle.add(script);
    }
  }
  for (const bundle of bundles.values()) {
    for (const [source, line] of bundle.linesRun()) lines.set(source, (lines.get(source) ?? new Set()).add(line));
  }
  return Object.fromEntries([...lines].map(([source, numbers]) => [source, [...numbers].sort((a, b) => a - b)]));
}

/** None where the process was killed while it wrote. */
function scriptsIn(file: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { result: Script[] }).result;
  } catch {
    return [];
  }
}

/** A built file. It is not minified, so that a line of it stems from one line of one source. */
class Bundle {
  readonly #file: string;
  /** Where each line begins to say something. */
  readonly #starts: { line: number; column: number; offset: number }[] = [];
  readonly #run = new Set<number>();

  constructor(file: string) {
    this.#file = file;
    let offset = 0;
    for (const [line, text] of readFileSync(file, "utf8").split("\n").entries()) {
      const column = text.search(/\S/);
      if (column >= 0) this.#starts.push({ line, column, offset: offset + column });
      offset += text.length + 1;
    }
  }

  add({ functions }: Script): void {
    // Inner ranges come behind the outer ones, and say what is true of their part.
    const counts = new Map<number, number>();
    for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
      for (let at = this.#firstFrom(startOffset); at < this.#starts.length; at++) {
        if (this.#starts[at]!.offset >= endOffset) break;
        counts.set(at, count);
      }
    }
    for (const [at, count] of counts) if (count > 0) this.#run.add(at);
  }

  *linesRun(): Generator<[source: string, line: number]> {
    if (!existsSync(`${this.#file}.map`)) return;
    const map = new SourceMap(JSON.parse(readFileSync(`${this.#file}.map`, "utf8")));
    for (const at of this.#run) {
      const { line, column } = this.#starts[at]!;
      const entry = map.findEntry(line, column);
      if (!("originalSource" in entry)) continue;
      yield [relative(".", resolve(dirname(this.#file), entry.originalSource)), entry.originalLine + 1];
    }
  }

  #firstFrom(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
