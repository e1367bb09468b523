import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

/** Which room may import which. A room is a folder of src/, or one of the two files beside them; `base` is free to all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ["commands"],
  index: ["app", "features", "layers", "schema", "store"],
  commands: ["app", "config", "features", "hosted", "http", "layers", "openapi", "query", "schema", "store"],
  "json-server": ["app", "config", "features", "http", "query", "store"],
  app: ["config", "features", "http", "layers", "schema", "store"],
  config: ["features", "store"],
  features: ["hosted", "http", "layers", "openapi", "query", "schema", "store"],
  hosted: ["http", "layers", "openapi", "query", "schema"],
  http: ["layers", "openapi", "query", "schema", "store"],
  openapi: ["layers", "schema"],
  schema: ["query", "store"],
  layers: [],
  store: ["query"],
  query: [],
  base: [],
};

/** The same for console/src: the ground below, views above it, the shell on top. */
const CONSOLE_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ["shell", "api"],
  shell: [
    "overview",
    "data",
    "traffic",
    "agents",
    "examples",
    "lab",
    "snapshots",
    "history",
    "recording",
    "hooks",
    "reference",
    "request",
    "records",
    "routes",
    "ui",
    "api",
  ],
  overview: ["data", "traffic", "request", "records", "routes", "ui", "api"],
  data: ["history", "request", "records", "routes", "ui", "api"],
  examples: ["request", "ui", "api"],
  agents: ["traffic", "lab", "records", "ui", "api"],
  traffic: ["lab", "request", "records", "ui", "api"],
  lab: ["records", "routes", "ui", "api"],
  snapshots: ["records", "routes", "ui", "api"],
  history: ["records", "routes", "ui", "api"],
  recording: ["ui", "api"],
  hooks: ["ui", "api"],
  reference: ["request", "routes", "ui", "api"],
  request: ["records", "routes", "ui", "api"],
  records: ["ui", "api"],
  routes: ["api"],
  ui: ["api"],
  api: [],
};

/** Functions of these files may have more than three parameters: an object for them costs time where every call counts. */
const MANY_PARAMETERS: Readonly<Record<string, string>> = {
  "src/base/errors.ts": "programs create a StandinError, so its parameters are public",
  "src/base/json/large/pieces.ts": "cuts large texts, for each piece",
  "src/base/platform/crypto.web.ts": "has the parameters of Node's scrypt, its other half",
  "src/features/rules/judge-edits.ts": "judges every write where there are rules",
  "src/http/call.ts": "a call is created for every request",
  "src/http/express/run-steps.ts": "Express tells a handler of errors by its four parameters",
  "src/http/node/sender.ts": "sends every response",
  "src/http/router.ts": "routes every request",
  "src/http/routes/carry-out.ts": "carries out writes of one record",
  "src/http/routes/collection.ts": "creates records",
  "src/http/routes/list.ts": "every list",
  "src/http/routes/record.ts": "the most frequent request",
  "src/json-server/router.ts": "Express, again",
  "src/query/group-rows.ts": "adds each record to its group",
  "src/query/parse-query.ts": "reads every query",
  "src/query/path.ts": "walks each record",
  "src/query/order.ts": "sorts",
  "src/query/where-json.ts": "reads each condition",
  "src/schema/generate/records/**": "makes each value of millions of records",
  "src/store/key-texts.ts": "adds each record to an index",
  "src/store/memory/**": "finds, sorts and indexes records",
  "src/store/stored-record.ts": "holds each record",
  "src/openapi/read/files/follow-references.ts": "walks each value of a document",
  "src/features/openapi-source/lists/bound-list.ts": "every list of a document",
  "src/features/openapi-source/lists/page-facts.ts": "every list of a document",
};

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const sources: SourceFile[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ path: join("src", name), text: readFileSync(join("src", name), "utf8") }));

/** The files that take the place of others where there is no Node, by those. */
const { browser: halves } = JSON.parse(readFileSync("package.json", "utf8")) as { browser: Record<string, string> };

const isWebHalf = (path: string): boolean => path.endsWith(".web.ts");

const hasWebHalf = (path: string): boolean => halves[`./${path}`] !== undefined;

/** Types aside, which leave nothing behind. */
const usesNode = ({ text }: SourceFile): boolean => /^(?:import|export) (?!type).* from "node:/m.test(text);

function roomOf(path: string): string {
  return relative("src", path).replace(/\.ts$/, "").split("/")[0] as string;
}

function importsOf({ path, text }: SourceFile): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return found.map(([, target]) => relative(resolve("."), resolve(dirname(path), target as string)));
}

/** Without those of `import()`, which are carried out later. */
function staticImportsOf({ path, text }: SourceFile): string[] {
  const found = [...text.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)";$|^import "(\.[^"]+)";$/gm)];
  return found.map(([, from, plain]) => relative(resolve("."), resolve(dirname(path), (from ?? plain) as string)));
}

/** Each circle once, as the files along it. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path]);
      return;
    }
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

function filesIn(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));
}

/** The exports of files whose names occur in no other file that imports them, nor a second time in their own. */
function unreadExports(files: readonly SourceFile[], readers: readonly SourceFile[]): { path: string; name: string }[] {
  const words = new Map<string, Set<string>>();
  for (const reader of readers) {
    const own = new Set(reader.text.match(/\w+/g));
    for (const target of importsOf(reader)) {
      const known = words.get(target);
      if (!known) words.set(target, new Set(own));
      else for (const word of own) known.add(word);
    }
  }
  return files.flatMap(({ path, text }) => {
    const names = [
      ...text.matchAll(/^export (?:async |abstract )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm),
    ];
    return names
      .map(([, name]) => name!)
      .filter((name) => !words.get(path)?.has(name) && text.split(new RegExp(`\\b${name}\\b`)).length < 3)
      .map((name) => ({ path, name }));
  });
}

describe("allowed imports", () => {
  test("the rule reads the import lines at all", () => {
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(60);
  });

  for (const source of sources) {
    test(`${source.path} imports only what its room may know`, () => {
      const room = roomOf(source.path);
      const allowed = [room, "base", ...(MAY_IMPORT[room] ?? [])];
      expect(importsOf(source).filter((target) => !allowed.includes(roomOf(target)))).toEqual([]);
    });
  }

  test("a feature is known by its door alone, and by the types of the program API that it has", () => {
    const featureOf = (path: string): string | undefined => /^src\/features\/([\w-]+)\//.exec(path)?.[1];
    const trespassing = sources.flatMap((source) => {
      const own = featureOf(source.path);
      return importsOf(source)
        .filter((target) => (featureOf(target) ?? own) !== own && !/\/(feature|types)\.ts$/.test(target))
        .map((target) => `${source.path} -> ${target}`);
    });
    expect(trespassing).toEqual([]);
    const loading = sources.filter(({ text }) => /^import (?!type).*\/features\/[\w-]+\/types\.ts"/m.test(text));
    expect(loading.map(({ path }) => path)).toEqual([]);
  });

  test("the list of features names every folder of them", () => {
    const folders = readdirSync("src/features", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = importsOf(sources.find(({ path }) => path === "src/features/list.ts")!);
    expect(folders.length).toBeGreaterThan(5);
    expect(
      folders.map(({ name }) => `src/features/${name}/feature.ts`).filter((door) => !listed.includes(door)),
    ).toEqual([]);
  });

  test("no part of a feature is read from the first feature alone, which would leave out a second", () => {
    const single = sources.filter(({ text }) =>
      /features\.find\(\(?(\{ (\w+) \}\) => \2|(\w+)\) => \3\.\w+)\)/.test(text),
    );
    expect(single.map(({ path }) => path)).toEqual([]);
  });

  test("src/ has the rooms of the plan and no loose files", () => {
    expect(
      readdirSync("src")
        .map((name) => name.replace(/\.ts$/, ""))
        .sort(),
    ).toEqual(Object.keys(MAY_IMPORT).sort());
    expect(Object.keys(MAY_IMPORT).length).toBeLessThanOrEqual(15);
  });

  test("tests are in folders, and a page names each helper that they share", () => {
    const loose = readdirSync("test", { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(loose.map(({ name }) => name).sort()).toEqual(["README.md", "architecture.test.ts"]);
    const named = new Set(readFileSync("test/README.md", "utf8").match(/(?<=`)[\w-]+\.(?:ts|mjs|cjs)(?=`)/g));
    const helpers = readdirSync("test/support");
    expect(helpers.filter((name) => !named.delete(name))).toEqual([]);
    expect([...named]).toEqual([]);
  });

  test("no file imports itself by way of others, not even for a type or by import()", () => {
    const imports = new Map(sources.map((source) => [source.path, importsOf(source)]));
    expect(circlesIn(imports)).toEqual([]);
  });

  test("the rooms fit one picture, without a circle", () => {
    const arrows = new Map<string, string[]>(Object.keys(MAY_IMPORT).map((room) => [room, []]));
    for (const source of sources) {
      const known = arrows.get(roomOf(source.path))!;
      for (const room of importsOf(source).map(roomOf)) {
        if (room !== roomOf(source.path) && !known.includes(room)) known.push(room);
      }
    }
    expect(circlesIn(arrows)).toEqual([]);
    expect(arrows.size).toBeLessThanOrEqual(22);
    expect([...arrows.values()].flat().length).toBeLessThanOrEqual(80);
  });

  test("no room may import what it does not", () => {
    const used = new Set(
      sources.flatMap((source) => importsOf(source).map((to) => `${roomOf(source.path)} -> ${roomOf(to)}`)),
    );
    const allowed = Object.entries(MAY_IMPORT).flatMap(([room, targets]) => targets.map((to) => `${room} -> ${to}`));
    expect(allowed.filter((permission) => !used.has(permission))).toEqual([]);
  });

  test("a room of the console imports only what it may know, and all of that", () => {
    const console = filesIn("console/src");
    const roomIn = (path: string): string =>
      relative("console/src", path)
        .replace(/\.tsx?$/, "")
        .split("/")[0]!;
    const arrows = console.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.endsWith(".css") && roomIn(target) !== roomIn(file.path))
        .map((target) => ({ arrow: `${roomIn(file.path)} -> ${roomIn(target)}`, path: file.path })),
    );
    const allowed = Object.entries(CONSOLE_MAY_IMPORT).flatMap(([room, known]) =>
      known.map((to) => `${room} -> ${to}`),
    );
    expect(arrows.filter(({ arrow }) => !allowed.includes(arrow))).toEqual([]);
    expect(allowed.filter((arrow) => !arrows.some((one) => one.arrow === arrow))).toEqual([]);
    const order = Object.keys(CONSOLE_MAY_IMPORT);
    for (const [room, known] of Object.entries(CONSOLE_MAY_IMPORT)) {
      expect(known.filter((to) => order.indexOf(to) < order.indexOf(room))).toEqual([]);
    }
    expect(circlesIn(new Map(console.map((file) => [file.path, staticImportsOf(file)])))).toEqual([]);
  });

  test("the console and the server know each other by HTTP alone", () => {
    const console = filesIn("console/src");
    expect(console.length).toBeGreaterThan(50);
    expect(console.flatMap(importsOf).filter((target) => !target.startsWith("console/src/"))).toEqual([]);
    expect(sources.flatMap(importsOf).filter((target) => target.startsWith("console/"))).toEqual([]);
  });

  test("components and hooks of the console have fewer than 100 lines", () => {
    const start = /^(?:export )?(?:const \w+ = memo\()?(?:async )?function (\w+)/;
    const long = filesIn("console/src").flatMap(({ path, text }) => {
      const lines = text.split("\n");
      return lines.flatMap((line, at) => {
        const name = start.exec(line)?.[1];
        const length = lines.slice(at).findIndex((end) => /^\}/.test(end)) + 1;
        return name !== undefined && length >= 100 ? [`${path}: ${name} has ${length}`] : [];
      });
    });
    expect(long).toEqual([]);
  });

  test("only commands and config read process.argv or process.env; cli hands argv on", () => {
    const readers = sources.filter(({ text }) => /process\.(argv|env)\b/.test(text)).map(({ path }) => roomOf(path));
    expect(readers.filter((room) => !["cli", "commands", "config"].includes(room))).toEqual([]);
  });

  test("only commands print; cli prints what ended a command, and json-server's module API logs as that does", () => {
    // A worker has nobody but the browser's console to tell.
    const own = sources.filter(({ path }) => !path.startsWith("src/app/worker/"));
    const printing = own.filter(({ text }) => /console\.\w|process\.std(out|err)/.test(text));
    expect(
      printing.map(({ path }) => roomOf(path)).filter((room) => !["cli", "commands", "json-server"].includes(room)),
    ).toEqual([]);
  });

  test("responses leave by one exit, or by Express where users' middlewares take part", () => {
    const exits = [
      "src/http/node/sender.ts",
      "src/http/node/send-file.ts",
      "src/http/node/send-page.ts",
      // The same replies through users' middlewares, and observing what those send themselves.
      "src/http/express/express-reply.ts",
      "src/http/express/express-traffic.ts",
      // Bodies that a reply begins or a fault damages on their way out.
      "src/features/live/event-stream.ts",
      "src/http/node/damaged-body.ts",
      // Middlewares for apps of the user's own.
      "src/json-server/defaults.ts",
      "src/json-server/router.ts",
    ];
    const writing = /(?<!\* .*)\bres(?:ponse)?\.(?:writeHead|write|end|setHeader|set|status|send|jsonp)(?:\(| =(?!=))/;
    const layers = /^src\/layers\//;
    const writers = sources
      .filter(({ path, text }) => writing.test(text) && !layers.test(path))
      .map(({ path }) => path);
    expect(writers.sort()).toEqual(exits.sort());
    const inLayers = sources.filter(({ path, text }) => layers.test(path) && /\.(writeHead|write|end)\(/.test(text));
    expect(inLayers.map(({ path }) => path)).toEqual([]);
  });

  test("traffic is recorded by the exits: on a socket, in the process, and by the observer of Express", () => {
    const places = (pattern: RegExp): string[] =>
      sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
    const both = ["src/http/express/express-traffic.ts", "src/http/node/sender.ts"];
    expect(places(/\brecord(\?\.)?\(call\)/).sort()).toEqual([both[0], "src/http/local-call.ts", both[1]]);
    expect(places(/(?<!function )\blogWhenSent\(/).sort()).toEqual(both);
  });

  test("the pipeline is composed in one file, and neither commands nor hosted mode makes one of its own", () => {
    const stages = sources.filter(({ text }) => /\baround: \(|\bcreateChain\(/.test(text)).map(({ path }) => path);
    expect(stages).toEqual(["src/http/chain.ts", "src/http/judge.ts", "src/http/pipeline.ts"]);
    const makers = sources.filter(({ text }) => /\bnew Pipeline\(/.test(text)).map(({ path }) => roomOf(path));
    expect([...new Set(makers)].sort()).toEqual(["app", "features", "http", "json-server"]);
  });

  test("no store or journal inherits from another", () => {
    const inheriting = sources.filter(({ text }) => /class \w+ extends (?!\w*Error\b)/.test(text));
    expect(inheriting.map(({ path }) => path).filter((path) => /store|sandboxes/.test(path))).toEqual([]);
  });

  test("code above the store asks it for an ability, never for its kind", () => {
    const asking = /"\w+" in (?:\w+\.)*#?(?:store|base)\b|instanceof \w*Store\b|\bengine [!=]==|\bisInMemory\b/;
    const above = sources.filter(({ path, text }) => roomOf(path) !== "store" && asking.test(text));
    expect(above.map(({ path }) => path)).toEqual([]);
    const database = sources.filter((source) => importsOf(source).includes("src/store/postgres/postgres-store.ts"));
    expect(database.map(({ path }) => path)).toEqual(["src/store/postgres/open-postgres.ts"]);
  });

  test("titles of errors come from the catalogue", () => {
    const literal = sources.filter(({ text }) => /\berror: ["`]/.test(text)).map(({ path }) => path);
    expect(literal).toEqual([]);
  });

  test("only the file store, uploads, snapshots, the atomic writer of generate and the writer of clients and requests touch user files", () => {
    const writing = /\b(write\w*|rename\w*|rm\w*|unlink\w*|mkdir\w*|copyFile\w*|open|openSync|createWriteStream)\b/;
    const writers = sources.filter(({ text }) =>
      [...text.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].some(([, names]) =>
        writing.test(names as string),
      ),
    );
    const allowed =
      /^src\/(base\/files\/atomic-write\.ts|commands\/browser\.ts|store\/file\/|features\/(?:files|snapshots)\/|schema\/generate\/|commands\/write-made-files\.ts)/;
    expect(writers.length).toBeGreaterThan(3);
    expect(writers.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
  });

  test("promises are told from values by helpers, except on hot paths", () => {
    const byHand = sources.filter(
      ({ path, text }) => !path.startsWith("src/store/") && /instanceof Promise\b/.test(text),
    );
    expect(byHand.map(({ path }) => path).sort()).toEqual([
      "src/base/eventually.ts",
      "src/base/slices.ts",
      "src/features/batch/run-batch.ts",
      "src/http/express/run-steps.ts",
      "src/http/node/handler.ts",
      "src/http/pipeline.ts",
      "src/http/relations/plan-relations.ts",
      "src/http/routes/record.ts",
      "src/json-server/router.ts",
    ]);
  });

  test("double casts and non-null assertions become no more", () => {
    const code = sources.map(({ text }) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/gs, ""));
    const count = (pattern: RegExp): number => code.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
    expect(count(/\bas unknown as\b/g)).toBeLessThanOrEqual(3);
    expect(count(/[\w)\]]!(?![=\w])/g)).toBeLessThanOrEqual(297);
  });

  test("functions have at most three parameters, except on hot paths; the linter holds it", () => {
    const { overrides } = JSON.parse(readFileSync("biome.json", "utf8")) as {
      overrides: { includes: string[]; linter?: { rules?: { complexity?: { useMaxParams?: unknown } } } }[];
    };
    const [rule, exception, ...others] = overrides.filter(({ linter }) => linter?.rules?.complexity?.useMaxParams);
    expect(rule).toMatchObject({
      includes: ["src/**"],
      linter: { rules: { complexity: { useMaxParams: { level: "error", options: { max: 3 } } } } },
    });
    expect(exception?.includes).toEqual(Object.keys(MANY_PARAMETERS));
    expect(others).toEqual([]);
  });

  test("every export has a reader", () => {
    const readers = [...sources, ...["test", "bench", "scripts"].flatMap((folder) => filesIn(folder))];
    const pages = filesIn("console/src");
    const unread = [...unreadExports(sources, readers), ...unreadExports(pages, pages)];
    const entries = [
      "src/app/fetch.ts",
      "src/app/vite.ts",
      "src/app/worker.ts",
      // The build puts it in the place of a library.
      "src/app/worker/without-faker.ts",
      "src/index.ts",
      "src/json-server/module.ts",
    ];
    // The readers of a half for the web import the half for Node.
    const others = unread.filter(({ path }) => !entries.includes(path) && !isWebHalf(path));
    expect(others.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });

  test("every exported name is declared once, so that it says what is meant", () => {
    const declared = new Map<string, Set<string>>();
    // The module API has the names of json-server's, and a half for the web those of the other half.
    const own = sources.filter(({ path }) => path !== "src/json-server/module.ts" && !isWebHalf(path));
    for (const { path, text } of own) {
      const found = text.matchAll(
        /^export (?:async |abstract )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm,
      );
      for (const [, name] of found) declared.set(name!, (declared.get(name!) ?? new Set()).add(path));
    }
    const twice = [...declared].filter(([, paths]) => paths.size > 1);
    expect(twice.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`)).toEqual([]);
  });

  test("no two files of a room have one name, except for the parts that every feature has", () => {
    const names = sources
      .filter(({ path }) => !/^src\/features\/[\w-]+\/(?:feature(?:\.web)?|openapi|types)\.ts$/.test(path))
      .map(({ path }) => `${roomOf(path)}: ${path.split("/").at(-1)}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test("no default exports, no barrel files but the entries of the package and doors", () => {
    // Projects that used json-server import its default.
    const withDefault = sources.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path);
    expect(withDefault).toEqual(["src/json-server/module.ts"]);
    const barrels = sources.filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text)).map(({ path }) => path);
    const allowed = /^src\/(?:features\/[\w-]+\/feature\.ts$|base\/platform\/)/;
    expect(barrels.filter((path) => !allowed.test(path))).toEqual([
      "src/index.ts",
      "src/app/fetch.ts",
      "src/app/worker.ts",
    ]);
  });

  test("each half for the web is named in package.json, beside its other half, and there are few", () => {
    const named = Object.entries(halves);
    expect(named.map(([node, web]) => [node, web.replace(".web.ts", ".ts")])).toEqual(
      named.map(([node]) => [node, node]),
    );
    const found = sources.filter(({ path }) => isWebHalf(path)).map(({ path }) => `./${path}`);
    expect(found.sort()).toEqual(Object.values(halves).sort());
    expect(found.length).toBeLessThanOrEqual(15);
  });

  test("rooms that run in pages take nothing from Node but what has a half for the web", () => {
    const rooms = /^src\/(?:query|layers|schema|store\/memory|http\/(?!node\/|express\/))/;
    const portable = sources.filter(({ path }) => (rooms.test(path) && !hasWebHalf(path)) || isWebHalf(path));
    expect(portable.length).toBeGreaterThan(200);
    expect(portable.filter(usesNode).map(({ path }) => path)).toEqual([
      // Only sockets compress, and only commands write clients.
      "src/http/response/compression.ts",
      "src/schema/description/client/client-data.ts",
    ]);
  });

  test("nothing that standin/fetch and standin/worker are built from imports Node", () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const reached = new Set<string>();
    const follow = (path: string): void => {
      const taken = byPath.get(halves[`./${path}`]?.slice(2) ?? path);
      if (!taken || reached.has(taken.path)) return;
      reached.add(taken.path);
      const code = { ...taken, text: taken.text.replace(/^(?:import|export) type\b[^;]*;$/gm, "") };
      for (const target of importsOf(code)) follow(target);
    };
    for (const entry of ["src/app/fetch.ts", "src/app/worker.ts"]) follow(entry);
    expect(reached.size).toBeGreaterThan(300);
    expect([...reached].filter((path) => usesNode(byPath.get(path)!))).toEqual([]);
  });
});
