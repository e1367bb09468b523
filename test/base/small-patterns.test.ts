import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { createFolder } from "../support/cli.ts";
import { IS_SOAK } from "../support/soak.ts";

const script = pathToFileURL("scripts/small-patterns.mjs").href;
const { smallPatterns } = (await import(script)) as { smallPatterns: Plugin };
/** The engine of patterns as a worker has it. */
const outfile = join(createFolder(), "engine.mjs");
await build({
  stdin: { contents: 'export { RE2JS } from "re2js";', resolveDir: "." },
  outfile,
  bundle: true,
  format: "esm",
  plugins: [smallPatterns],
});
const { RE2JS: small } = (await import(pathToFileURL(outfile).href)) as { RE2JS: typeof RE2JS };

/** Code points whose facts are older than any browser: all of them in the soak, else every twentieth. */
const CHARACTERS = Array.from({ length: 0x530 }, (_, code) => String.fromCodePoint(code)).filter(
  (_, code) => IS_SOAK || code % 20 === 0,
);
const CLASSES = ["L", "Lu", "Nd", "Po", "C", "White_Space", "Greek"];

function matchesOf(engine: typeof RE2JS, pattern: string, flags: number): string[] {
  const compiled = engine.compile(pattern, flags);
  return CHARACTERS.filter((character) => compiled.test(character));
}

test.each([0, RE2JS.CASE_INSENSITIVE])("classes have the same characters, with the flags %i", (flags) => {
  for (const name of CLASSES) {
    for (const pattern of [`^\\p{${name}}$`, `^[^\\p{${name}}]$`]) {
      expect(matchesOf(small, pattern, flags).join(), pattern).toBe(matchesOf(RE2JS, pattern, flags).join());
    }
  }
});

test("other cases of a character are the same", () => {
  for (const character of [..."aKkſßẞµıİσςΣǅÿŸ", "\u212a", "\u{10400}", "\ufb06"]) {
    const pattern = `^${character}$`;
    const [one, other] = [small, RE2JS].map((engine) => matchesOf(engine, pattern, RE2JS.CASE_INSENSITIVE));
    expect(one, pattern).toEqual(other);
  }
});

test.each(["\\p{Unknown_Name}", "(", "a{2,1}", "(?P<n", "\\p{L"])("%s is refused with the same words", (pattern) => {
  const messages = [small, RE2JS].map((engine) => {
    try {
      return engine.compile(pattern).toString();
    } catch (thrown) {
      return (thrown as Error).message;
    }
  });
  expect(messages[0]).toBe(messages[1]);
});

test("any pattern finds the same in any text", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "\\w",
    "\\d",
    "\\b",
    "^",
    "$",
    "(a|b)",
    "(ab)",
    "(?:b|)",
    "x",
  );
  const repeated = fc.tuple(part, fc.constantFrom("", "*", "+", "?", "{1,2}", "*?")).map(([one, times]) => one + times);
  const patterns = fc.array(repeated, { maxLength: 6 }).map((parts) => parts.join(""));
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "A", "1", " ", "ß"), maxLength: 12 });
  fc.assert(
    fc.property(patterns, texts, fc.constantFrom(0, RE2JS.CASE_INSENSITIVE), (pattern, value, flags) => {
      const found = [small, RE2JS].map((engine) => {
        try {
          const compiled = engine.compile(pattern, flags);
          return { isFound: compiled.test(value), size: compiled.programSize() };
        } catch (thrown) {
          return String(thrown);
        }
      });
      expect(found[0]).toEqual(found[1]);
    }),
  );
});
