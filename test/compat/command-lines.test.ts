import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServeOptions } from "../../src/config/options.ts";
import { resolveServeOptions } from "../../src/config/resolve.ts";
import { createFolder } from "../support/cli.ts";

/** Options that both sides understand, under both names. */
const COMMON = [
  "port",
  "host",
  "watch",
  "routes",
  "middlewares",
  "static",
  "readOnly",
  "noCors",
  "noGzip",
  "snapshots",
  "delay",
  "id",
  "foreignKeySuffix",
  "quiet",
] as const;
type Common = { -readonly [K in (typeof COMMON)[number]]?: unknown } & { source?: unknown };

/** Command lines that arrive the same way. */
const LINES = [
  "db.json",
  "./src/mock/db.json",
  "db.json --port 3001",
  "db.json --port=3001",
  "db.json -p 3001",
  "db.json -p3001",
  "db.json -p=3001",
  "db.json --p 3001",
  "db.json --p=3001",
  "--port 3001 db.json",
  "db.json -H 0.0.0.0",
  "db.json -H=0.0.0.0",
  "db.json --H 0.0.0.0",
  "db.json --host=0.0.0.0",
  "--watch db.json",
  "-w db.json",
  "--w db.json",
  "db.json -w",
  "--watch=true db.json",
  "--watch=false db.json",
  "--watch true db.json",
  "--watch false db.json",
  "-w false db.json",
  "-w=false db.json",
  "--no-watch db.json",
  "--no-w db.json",
  "--watch --watch db.json",
  "-wq db.json",
  "-qw db.json",
  "-wp 3001 db.json",
  "--watch -p 3004 ./src/db.json",
  "db.json --ro",
  "db.json --ro true",
  "db.json --ro false",
  "db.json --ro=true",
  "db.json --read-only",
  "db.json --readOnly",
  "db.json --read-only true",
  "db.json --no-read-only",
  "db.json --no-readOnly",
  "db.json --nc",
  "db.json --nc true",
  "db.json --nc=false",
  "db.json --noCors",
  "db.json --no-cors=false",
  "db.json --ng",
  "db.json --noGzip true",
  "db.json -q",
  "db.json --q",
  "db.json --quiet=true",
  "--no-quiet db.json",
  "db.json -r routes.json",
  "db.json --r routes.json",
  "db.json --routes=./routes.json",
  "db.json -s ./x",
  "db.json --s ./x",
  "db.json --static=./x",
  "db.json -S saved",
  "db.json --S saved",
  "db.json --snapshots ./saved",
  "db.json -d 500",
  "db.json --d 500",
  "db.json --delay=500",
  "db.json -d 1e3",
  "db.json -i _id",
  "db.json --i _id",
  "db.json --id=_id",
  "db.json --fks _id",
  "db.json --fks=_id",
  "db.json --foreignKeySuffix _id",
  "db.json --foreign-key-suffix _id",
  "db.json --foreign-key-suffix=_id",
  "db.json -m a.js",
  "db.json -m a.js b.js",
  "db.json -m a.js -m b.js",
  "db.json --m a.js b.js",
  "db.json --middlewares ./a.js ./b.js --port 3001",
  "-m a.js b.js -- db.json",
  "--middlewares=a.js -- db.json",
  "-m ./a.js -w db.json",
  "db.json --color",
  "db.json --no-color",
  "db.json --color=false",
  "db.json --frobnicate",
  "db.json --frobnicate x",
  "db.json --frobnicate=x --port 3001",
  "--frobnicate x db.json --port 3001",
  "db.json -z",
  "db.json other.json",
  "--watch db.json other.json",
  "db.json -- other.json",
] as const;

/** Those that do not, with what arrives here and why. */
const OTHER_LINES: readonly [line: string, here: Common, why: string][] = [
  ["db.json --no-cors", { source: "db.json", noCors: true }, "the bare flag has no effect in 0.17"],
  ["db.json --no-gzip", { source: "db.json", noGzip: true }, "the bare flag has no effect in 0.17"],
  ["db.json --no-cors true", { source: "db.json", noCors: true }, "as with the bare flag"],
  ["db.json -p 3001 -p 3002", { source: "db.json", port: 3002 }, "0.17 has a list of ports, and fails"],
  ["db.json --id 5", { source: "db.json", id: "5" }, "names of fields are texts"],
  ["db.json -m a.js,b.js", { source: "db.json", middlewares: ["a.js", "b.js"] }, "0.17 does not split at commas"],
  ["-m a.js b.js db.json", { source: "db.json", middlewares: ["a.js", "b.js"] }, "0.17 misses a source"],
  ["--frobnicate db.json", { source: "db.json" }, "0.17 misses a source"],
  ["--watch", { source: "db.json", watch: true }, "0.17 misses a source"],
  ["db.json --foreignkeysuffix _id", { source: "db.json", foreignKeySuffix: "_id" }, "0.17 ignores the flag"],
];

/** Config files that arrive the same way. */
const CONFIGS = [
  {},
  { port: 3001 },
  { port: "3001" },
  { p: 3001 },
  { host: "0.0.0.0" },
  { H: "0.0.0.0" },
  { watch: true },
  { watch: "true" },
  { watch: "false" },
  { w: true },
  { "read-only": true },
  { readOnly: "true" },
  { ro: true },
  { "no-cors": true },
  { "no-cors": "true" },
  { noCors: true },
  { nc: true },
  { cors: false },
  { "no-gzip": true },
  { ng: true },
  { routes: "routes.json" },
  { r: "routes.json" },
  { middlewares: "./a.js" },
  { middlewares: ["./a.js", "./b.js"] },
  { m: "./a.js" },
  { middlewares: [] },
  { static: "./x" },
  { s: "./x" },
  { snapshots: "./saved" },
  { S: "./saved" },
  { delay: 500 },
  { delay: "500" },
  { d: 500 },
  { id: "_id" },
  { i: "_id" },
  { foreignKeySuffix: "_id" },
  { "foreign-key-suffix": "_id" },
  { fks: "_id" },
  { quiet: true },
  { q: true },
  { frobnicate: 1 },
  { source: undefined },
] as const;

function theirs(argv: Readonly<Record<string, unknown>>): Common {
  const common: Common = { source: (argv._ as unknown[])[0] };
  for (const key of COMMON) common[key] = argv[key];
  // Their defaults that are none here: the folder of snapshots, and a suffix that is not looked for in the data.
  if (common.snapshots === ".") common.snapshots = undefined;
  if (common.foreignKeySuffix === "Id") common.foreignKeySuffix = undefined;
  return withDefaults(common);
}

function ours(options: ServeOptions): Common {
  const common: Common = { source: options.source };
  for (const key of COMMON) common[key] = options[key];
  return common;
}

function withDefaults(given: Common): Common {
  const switches = { watch: false, readOnly: false, noCors: false, noGzip: false, quiet: false };
  const absent = { routes: undefined, middlewares: undefined, static: undefined, snapshots: undefined };
  const others = { port: 3000, host: "localhost", delay: 0, id: "id", foreignKeySuffix: undefined };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...switches, ...absent, ...others, ...Object.fromEntries(present) };
}

const folder = createFolder();
const configs = CONFIGS.map((config, position) => {
  writeFileSync(join(folder, `${position}.json`), JSON.stringify(config));
  return ["db.json", "--config", join(folder, `${position}.json`)];
});
const lines = [...LINES, ...OTHER_LINES.map(([line]) => line)].map((line) => line.split(" "));
let seen: (Readonly<Record<string, unknown>> | null)[];

beforeAll(() => {
  const input = JSON.stringify([...lines, ...configs]);
  const script = resolve("test/fixtures/json-server-argv.cjs");
  seen = JSON.parse(execFileSync(process.execPath, [script], { input, cwd: resolve("."), encoding: "utf8" }));
});

describe("arrives here as in json-server 0.17.4", () => {
  for (const [position, line] of LINES.entries()) {
    test(line, () => {
      expect(ours(resolveServeOptions(line.split(" "), folder).options)).toEqual(theirs(seen[position]!));
    });
  }
  for (const [position, config] of CONFIGS.entries()) {
    test(`config file ${JSON.stringify(config)}`, () => {
      const { options } = resolveServeOptions(configs[position]!, folder);
      expect(ours(options)).toEqual(theirs(seen[lines.length + position]!));
    });
  }
});

describe("arrives in another way, on purpose", () => {
  for (const [position, [line, here, why]] of OTHER_LINES.entries()) {
    test(`${line}: ${why}`, () => {
      const arrived = ours(resolveServeOptions(line.split(" "), folder).options);
      expect(arrived).toEqual(withDefaults(here));
      const there = seen[LINES.length + position];
      expect(there && theirs(there)).not.toEqual(arrived);
    });
  }
});

describe("is warned about", () => {
  const cases = [
    ["db.json --frobnicate x", "Unknown flag --frobnicate is ignored."],
    ["db.json -z", "Unknown flag -z is ignored."],
    ["db.json -wz", "Unknown flag -z is ignored."],
    ["db.json other.json", /^Serving db\.json only; ignored: other\.json\./],
    ["db.json --no-cors", /^--no-cors is on: .* In json-server 0\.17 the bare flag had no effect/],
    ["--no-cors db.json", /^--no-cors is on/],
  ] as const;
  for (const [line, message] of cases) {
    test(line, () => {
      expect(resolveServeOptions(line.split(" "), folder).warnings).toEqual([
        typeof message === "string" ? message : expect.stringMatching(message),
      ]);
    });
  }

  for (const line of [
    "--nc",
    "--noCors",
    "--no-cors=true",
    "--no-cors true",
    "--no-cors false",
    "--cors",
    "--no-color",
  ]) {
    test(`${line}: not`, () => {
      expect(resolveServeOptions(["db.json", ...line.split(" ")], folder).warnings).toEqual([]);
    });
  }
});
