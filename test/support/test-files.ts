import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Finds test files by what they use. A test uses a word if its own text has it, or if a declaration that it imports from
 * another file of test/ does, by any number of steps; the names of packages that it imports from are words, too. So a
 * renamed or new test needs no entry in a list.
 */
export function testFilesUsing(word: RegExp): string[] {
  const using = new Set<string>();
  for (let before = -1; before < using.size; ) {
    before = using.size;
    for (const { path, declarations } of MODULES) {
      for (const { name, text, mentions } of declarations) {
        const uses = (one: string): boolean => using.has(one) || word.test(one);
        if (word.test(text) || mentions.some(uses)) using.add(keyOf(path, name));
      }
    }
  }
  return TEST_FILES.filter((path) => using.has(path));
}

interface Module {
  readonly path: string;
  readonly declarations: readonly Declaration[];
}

/** A declaration of a helper, or the whole text of a test, which has no name. */
interface Declaration {
  readonly name: string;
  readonly text: string;
  /** Declarations of this module and of others, and names from packages. */
  readonly mentions: readonly string[];
}

const IMPORT = /^import ([^;"]+) from "([^"]+)";$/gm;
/** They bring nothing that runs. */
const TYPES = /\btype \w+|^type .*/gs;
const DECLARATION = /^(?=(?:export )?(?:async )?(?:const|let|class|function\*?) )/m;
const DECLARED = /^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+)/;

const MODULES: readonly Module[] = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.startsWith("fixtures/"))
  .map((name) => moduleOf(join("test", name)));

/** Every test file of the repository. */
export const TEST_FILES: readonly string[] = MODULES.map(({ path }) => path).filter(isTest);

function moduleOf(path: string): Module {
  const source = readFileSync(path, "utf8");
  const known = new Map<string, string>();
  for (const [, names = "", from = ""] of source.matchAll(IMPORT)) {
    const file = from.startsWith(".") ? join(dirname(path), from) : from;
    for (const [, name, alias] of names.replace(TYPES, "").matchAll(/(\w+)(?: as (\w+))?/g)) {
      known.set(alias ?? name!, keyOf(file, name!));
    }
  }
  const text = source.replace(IMPORT, "");
  const parts = isTest(path) ? [text] : text.split(DECLARATION);
  const named = parts.map((part) => ({ name: DECLARED.exec(part)?.[1] ?? "", text: part }));
  if (!isTest(path)) for (const { name } of named) known.set(name, keyOf(path, name));
  const declarations = named.map(({ name, text }) => ({
    name,
    text,
    mentions: [...new Set(text.match(/\w+/g))].flatMap((one) => known.get(one) ?? []),
  }));
  return { path, declarations };
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}

function keyOf(path: string, name: string): string {
  return isTest(path) ? path : `${path} ${name}`;
}
