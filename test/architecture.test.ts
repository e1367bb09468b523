import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

/** Who may know whom. A room is a folder of src/ or a file directly in it; what everyone may use is the ground. */
const GROUND = [
  "errors",
  "json",
  "json-syntax",
  "nearest",
  "reporter",
  "atomic-write",
  "import-file",
  "package-file",
  "path-match",
  "clock-and-random",
  "secrets",
  "wait",
  "slices",
  "large-json",
];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ["commands"],
  index: ["program", "http", "store", "features"],
  program: ["http", "store", "query", "features"],
  commands: ["config", "http", "store", "features", "generate", "layers", "query", "hosted", "doctor"],
  config: [],
  doctor: ["config", "http", "store"],
  hosted: ["http", "layers", "query"],
  features: ["http", "store", "query"],
  http: ["store", "query", "features", "layers", "hosted", "lowdb"],
  "json-server": ["http", "store", "query", "lowdb"],
  lowdb: ["store"],
  layers: [],
  store: ["query"],
  generate: [],
  query: [],
};
const GROUND_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {};

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const sources: SourceFile[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ path: join("src", name), text: readFileSync(join("src", name), "utf8") }));

function roomOf(path: string): string {
  return relative("src", path).replace(/\.ts$/, "").split("/")[0] as string;
}

function importsOf({ path, text }: SourceFile): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return found.map(([, target]) => relative(resolve("."), resolve(dirname(path), target as string)));
}

describe("who may know whom", () => {
  test("the rule reads the import lines at all", () => {
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(60);
  });

  for (const source of sources) {
    test(`${source.path} imports only what its room may know`, () => {
      const room = roomOf(source.path);
      const allowed = [room, ...GROUND, ...(MAY_IMPORT[room] ?? GROUND_MAY_IMPORT[room] ?? [])];
      expect(importsOf(source).filter((target) => !allowed.includes(roomOf(target)))).toEqual([]);
    });
  }

  test("the console and the server know each other by HTTP alone", () => {
    const console = readdirSync("console/src", { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ path: join("console/src", name), text: readFileSync(join("console/src", name), "utf8") }));
    expect(console.length).toBeGreaterThan(50);
    expect(console.flatMap(importsOf).filter((target) => !target.startsWith("console/src/"))).toEqual([]);
    expect(sources.flatMap(importsOf).filter((target) => target.startsWith("console/"))).toEqual([]);
  });

  test("only commands and config read process.argv or process.env; cli hands argv on", () => {
    const readers = sources.filter(({ text }) => /process\.(argv|env)\b/.test(text)).map(({ path }) => roomOf(path));
    expect(readers.filter((room) => !["cli", "commands", "config"].includes(room))).toEqual([]);
  });

  test("only commands print; cli prints what ended a command, and json-server's module API logs as that does", () => {
    const printing = sources.filter(({ text }) => /console\.\w|process\.std(out|err)/.test(text));
    expect(
      printing.map(({ path }) => roomOf(path)).filter((room) => !["cli", "commands", "json-server"].includes(room)),
    ).toEqual([]);
  });

  test("only the file store, snapshots and the atomic writer of generate touch user files", () => {
    const writing = /\b(write\w*|rename\w*|rm\w*|unlink\w*|mkdir\w*|copyFile\w*|open|openSync|createWriteStream)\b/;
    const writers = sources.filter(({ text }) =>
      [...text.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].some(([, names]) =>
        writing.test(names as string),
      ),
    );
    const allowed = /^src\/(atomic-write\.ts|store\/file\/|features\/snapshots\/|generate\/)/;
    expect(writers.length).toBeGreaterThan(3);
    expect(writers.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
  });

  test("no default exports, no barrel files but index.ts", () => {
    // Projects that used json-server import its default.
    const withDefault = sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path);
    expect(withDefault).toEqual(["src/json-server/module.ts"]);
    expect(sources.filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
