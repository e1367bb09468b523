import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { inSources } from "../support/in-sources.ts";

test("the stack of a failed test names lines of the sources, where they are known", () => {
  const folder = createFolder({
    // The second line is the third of the source, two columns further to the right.
    "run-sources/src/known.js.map": { version: 3, sources: ["../../known.ts"], names: [], mappings: ";AAEE" },
  });
  const placeOf = (file: string) => `${pathToFileURL(join(folder, file))}:2:1`;
  const stack = (known: string) =>
    `Error: no\n    at known (${known})\n    at ${placeOf("run-sources/src/unknown.js")}\n    at ${placeOf("other.js")}`;
  expect(inSources(stack(placeOf("run-sources/src/known.js")))).toBe(stack(`${join(folder, "known.ts")}:3:3`));
});
