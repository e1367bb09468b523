import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A place in a file that `compiled-sources.ts` has made. */
const COMPILED = /(file:\/\/[^\s()]+-sources\/src\/[^\s()]+\.js):(\d+):(\d+)/g;

/** Names the lines of the sources in a stack, in place of those that were compiled from them. */
export function inSources(stack: string): string {
  return stack.replace(COMPILED, (place, url: string, line: string, column: string) => {
    const file = `${fileURLToPath(url)}.map`;
    if (!existsSync(file)) return place;
    const entry = new SourceMap(JSON.parse(readFileSync(file, "utf8"))).findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in entry)) return place;
    return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
