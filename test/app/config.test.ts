import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asChoice, flagOf, type Option, type OptionValue } from "../../src/base/option.ts";
import { loadConfigFile } from "../../src/config/config-file.ts";
import { parseFlags } from "../../src/config/flags.ts";
import { SERVE_OPTIONS } from "../../src/config/options.ts";
import { resolveServeOptions } from "../../src/config/resolve.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

type Key = keyof typeof SERVE_OPTIONS;

/** A value other than the default for every option. A new option needs one here, and its default in DEFAULTS. */
const SAMPLES: Readonly<Record<Key, OptionValue>> = {
  source: "other.json",
  mounts: { shop: "shop.json" },
  config: "other-config.json",
  port: 3001,
  host: "0.0.0.0",
  base: "/api",
  watch: true,
  memory: true,
  sample: "shop",
  durability: "disk",
  routes: "routes.json",
  middlewares: ["logger", "./guard.js"],
  layers: { latency: { minMs: 5 } },
  static: "assets",
  readOnly: true,
  noCors: true,
  noGzip: true,
  noConsole: true,
  traffic: 20,
  snapshots: "saved",
  files: "uploads",
  maxFileBytes: 1000,
  sandboxes: 5,
  sandboxExpiry: 60,
  sandboxMegabytes: 10,
  history: "30d",
  access: { orders: { read: "anyone" } },
  faults: [{ fault: "reset" }],
  hooks: [{ name: "all", on: "*", to: "http://localhost:4000" }],
  timeline: [{ on: "orders.created", after: "1s", remove: true }],
  hookTargets: ["http://localhost:4000"],
  rules: "rules.json",
  plugins: ["./dashboard.js"],
  pluginOptions: { dashboard: { limit: 5 } },
  data: "pets.json",
  validate: "warn",
  validateSecurity: true,
  fallback: "https://api.test",
  fallbackWrites: true,
  upstream: "https://api.test",
  header: ["Accept: */*"],
  origin: ["https://app.test"],
  insecure: true,
  dialect: "json-server-1",
  allowOutsideRefs: true,
  bind: { orders: false },
  seed: 7,
  clock: "2030-01-01T12:00:00Z",
  delay: 250,
  queryBudget: 500,
  id: "_id",
  collections: { orders: { id: "uuid" } },
  foreignKeySuffix: "Key",
  relations: { posts: { authorId: "users" } },
  bodyParser: false,
  https: true,
  cert: "cert.pem",
  key: "key.pem",
  pretty: true,
  trustProxy: true,
  allowedHosts: ["shop.test"],
  tables: "public",
  schema: "shop",
  poolSize: 20,
  statementTimeout: 5000,
  databaseTls: "verify",
  databaseCa: "ca.pem",
  indexes: { products: ["price"] },
  open: true,
  quiet: true,
  color: true,
  help: true,
  version: true,
};

const DEFAULTS: Readonly<Record<Key, OptionValue | undefined>> = {
  source: "db.json",
  mounts: undefined,
  config: undefined,
  port: 3000,
  host: "localhost",
  base: undefined,
  watch: false,
  memory: false,
  sample: undefined,
  durability: "process",
  routes: undefined,
  middlewares: undefined,
  layers: undefined,
  static: undefined,
  readOnly: false,
  noCors: false,
  noGzip: false,
  noConsole: false,
  traffic: 200,
  snapshots: undefined,
  files: undefined,
  maxFileBytes: 25_000_000,
  sandboxes: 200,
  sandboxExpiry: 1800,
  sandboxMegabytes: 256,
  history: "1000",
  access: undefined,
  faults: undefined,
  hooks: undefined,
  timeline: undefined,
  hookTargets: undefined,
  rules: undefined,
  plugins: undefined,
  pluginOptions: undefined,
  data: undefined,
  validate: "on",
  validateSecurity: false,
  fallback: undefined,
  fallbackWrites: false,
  upstream: undefined,
  header: undefined,
  origin: undefined,
  insecure: false,
  dialect: undefined,
  allowOutsideRefs: false,
  bind: undefined,
  seed: undefined,
  clock: undefined,
  delay: 0,
  queryBudget: 2000,
  id: "id",
  collections: undefined,
  foreignKeySuffix: undefined,
  relations: undefined,
  bodyParser: true,
  https: false,
  cert: undefined,
  key: undefined,
  pretty: false,
  trustProxy: false,
  allowedHosts: undefined,
  tables: undefined,
  schema: "standin",
  poolSize: 10,
  statementTimeout: 30_000,
  databaseTls: undefined,
  databaseCa: undefined,
  indexes: undefined,
  open: false,
  quiet: false,
  color: undefined,
  help: false,
  version: false,
};

const OPTIONS = Object.entries(SERVE_OPTIONS) as [Key, Option][];
const WITH_FLAG = OPTIONS.filter(([, option]) => flagOf(option) !== undefined);
const IN_FILE = OPTIONS.filter(([, option]) => option.only !== "flag");

/** How a value is typed after its flag. */
function typed(flag: string, value: OptionValue): string[] {
  if (value === true) return [flag];
  if (value === false) return [`${flag}=false`];
  return [flag, ...(Array.isArray(value) ? value.map(String) : [String(value)])];
}

function dashes(alias: string): string {
  return alias.length === 1 ? `-${alias}` : `--${alias}`;
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readFile(config: unknown) {
  return loadConfigFile(createFolder({ "standin.json": config }), undefined, SERVE_OPTIONS);
}

function flagsOf(...argv: string[]) {
  const { values, positionals } = parseFlags(argv, SERVE_OPTIONS);
  return { values, positionals };
}

describe("every option", () => {
  test("has a sample and a default in this file", () => {
    const keys = OPTIONS.map(([key]) => key).sort();
    expect(Object.keys(SAMPLES).sort()).toEqual(keys);
    expect(Object.keys(DEFAULTS).sort()).toEqual(keys);
    expect(OPTIONS.filter(([key]) => JSON.stringify(SAMPLES[key]) === JSON.stringify(DEFAULTS[key]))).toEqual([]);
  });

  test("has its default when nothing is given", () => {
    expect(resolveServeOptions([], createFolder())).toEqual({
      options: DEFAULTS,
      warnings: [],
      configFile: undefined,
    });
  });

  for (const [key, option] of WITH_FLAG) {
    const sample = SAMPLES[key];
    const flag = flagOf(option)!;
    const names = [`--${flag}`, `--${camelCase(flag)}`, `--${kebabCase(flag)}`, ...(option.aliases ?? []).map(dashes)];
    for (const name of new Set(names)) {
      const argv = typed(name, sample);
      test(`${argv.join(" ")} sets ${key}`, () => {
        expect(flagsOf(...argv)).toEqual({ values: { [key]: sample }, positionals: [] });
      });
    }

    const inline = `--${flag}=${Array.isArray(sample) ? sample.join(",") : sample}`;
    test(`${inline} sets ${key}`, () => {
      expect(flagsOf(inline, "data.json")).toEqual({ values: { [key]: sample }, positionals: ["data.json"] });
    });

    if (option.type === "boolean") {
      test(`--${flag}=false and --no-${flag} switch ${key} off`, () => {
        expect(flagsOf(`--${flag}=false`).values).toEqual({ [key]: false });
        expect(flagsOf(`--no-${flag}`).values).toEqual({ [key]: false });
      });
      test(`--${flag}=maybe is refused`, () => {
        expect(() => flagsOf(`--${flag}=maybe`)).toThrow(`--${flag}=maybe: --${flag} expects true or false.`);
      });
    } else if (option.bare !== undefined) {
      test(`--${flag} without a value means ${option.bare}, and takes no flag for one`, () => {
        for (const argv of [[`--${flag}`], [`--${flag}`, "--quiet"]]) {
          expect(flagsOf(...argv).values).toMatchObject({ [key]: option.bare });
        }
        expect(() => flagsOf(`--${flag}=`)).toThrow(`--${flag}`);
      });
    } else {
      test(`--${flag} without a value is refused, and takes no flag for one`, () => {
        for (const argv of [[`--${flag}`], [`--${flag}=`], [`--${flag}`, "--quiet"], [`--${flag}`, "-q"]]) {
          expect(() => flagsOf(...argv), argv.join(" ")).toThrow(
            new RegExp(`^--${flag} (needs|expects) .+: --${flag} <\\w+>$`),
          );
        }
      });
    }
  }

  for (const [key, option] of IN_FILE) {
    for (const name of new Set([option.name, camelCase(option.name), kebabCase(option.name)])) {
      test(`{ ${JSON.stringify(name)}: ${JSON.stringify(SAMPLES[key])} } in the config file sets ${key}`, () => {
        expect(readFile({ [name]: SAMPLES[key] })).toEqual({
          file: "standin.json",
          values: { [key]: SAMPLES[key] },
          warnings: [],
        });
      });
    }
  }

  test("of flags alone is not a config file key", () => {
    const flagsOnly = OPTIONS.filter(([, option]) => option.only === "flag").map(([, option]) => option.name);
    expect(flagsOnly).toEqual(["config", "sample", "open", "color", "help", "version"]);
    const { values, warnings } = readFile(Object.fromEntries(flagsOnly.map((name) => [name, true])));
    expect(values).toEqual({});
    expect(warnings).toHaveLength(flagsOnly.length);
  });

  test("of the file alone is not a flag", () => {
    const fileOnly = OPTIONS.filter(([, option]) => option.only === "file").map(([, option]) => option.name);
    expect(fileOnly).toEqual([
      "source",
      "mounts",
      "layers",
      "access",
      "faults",
      "hooks",
      "timeline",
      "hookTargets",
      "pluginOptions",
      "bind",
      "collections",
      "relations",
      "indexes",
    ]);
    for (const name of fileOnly) expect(() => flagsOf(`--${name}=x`)).toThrow(`Unknown flag --${name}.`);
  });

  for (const [key, option] of OPTIONS) {
    const config = { [option.name]: SAMPLES[key] };
    const start = () => resolveServeOptions([], createFolder({ "standin.json": config }));
    if (option.only === "flag") continue;
    test(`${key} reaches the start without a warning`, () => {
      expect(start()).toMatchObject({
        options: { ...DEFAULTS, [key]: SAMPLES[key] },
        warnings: [],
        configFile: "standin.json",
      });
    });
  }
});

describe("command lines of 0.17", () => {
  const cases: [line: string, values: Partial<Record<Key, OptionValue>>, positionals?: string[]][] = [
    ["-c dev.json", { config: "dev.json" }],
    ["-p 3001", { port: 3001 }],
    ["-p3001", { port: 3001 }],
    ["-p=3001", { port: 3001 }],
    ["--port=3000", { port: 3000 }],
    ["-H 0.0.0.0", { host: "0.0.0.0" }],
    ["-w db.json", { watch: true }, ["db.json"]],
    ["--watch db.json", { watch: true }, ["db.json"]],
    ["db.json --watch", { watch: true }, ["db.json"]],
    ["--watch=false", { watch: false }],
    ["-w=false", { watch: false }],
    ["--no-watch", { watch: false }],
    ["-wq db.json", { watch: true, quiet: true }, ["db.json"]],
    ["-wp 3001", { watch: true, port: 3001 }],
    ["-r routes.json", { routes: "routes.json" }],
    ["-m a.js", { middlewares: ["a.js"] }],
    ["--middlewares a.js b.js", { middlewares: ["a.js", "b.js"] }],
    [
      "--allowedHosts shop.test --allowed-hosts standin db.json",
      { allowedHosts: ["shop.test", "standin"] },
      ["db.json"],
    ],
    ["--middlewares a.js b.js db.json", { middlewares: ["a.js", "b.js"] }, ["db.json"]],
    ["-m a.js b.js --port 3001 db.json", { middlewares: ["a.js", "b.js"], port: 3001 }, ["db.json"]],
    ["-m a.js -m b.js", { middlewares: ["a.js", "b.js"] }],
    ["db.json -m a.js b.js", { middlewares: ["a.js", "b.js"] }, ["db.json"]],
    ["-s assets", { static: "assets" }],
    ["--ro", { readOnly: true }],
    ["--read-only", { readOnly: true }],
    ["--readOnly", { readOnly: true }],
    ["--readonly", { readOnly: true }],
    ["--nc", { noCors: true }],
    ["--no-cors", { noCors: true }],
    ["--noCors", { noCors: true }],
    ["--no-cors=true", { noCors: true }],
    ["--no-cors=false", { noCors: false }],
    ["--ng", { noGzip: true }],
    ["--no-gzip", { noGzip: true }],
    ["--noGzip", { noGzip: true }],
    ["-S saved", { snapshots: "saved" }],
    ["-d 500", { delay: 500 }],
    ["-i _id", { id: "_id" }],
    ["--fks _id", { foreignKeySuffix: "_id" }],
    ["--foreignKeySuffix _id", { foreignKeySuffix: "_id" }],
    ["--foreign-key-suffix _id", { foreignKeySuffix: "_id" }],
    ["--foreignkeysuffix _id", { foreignKeySuffix: "_id" }],
    ["--id=-x", { id: "-x" }],
    ["-q", { quiet: true }],
    ["-h", { help: true }],
    ["-v", { version: true }],
    ["-p 3001 -p 3002", { port: 3002 }],
    ["-- --odd.json", {}, ["--odd.json"]],
  ];
  for (const [line, values, positionals = []] of cases) {
    test(`standin ${line}`, () => {
      expect(flagsOf(...line.split(" "))).toEqual({ values, positionals });
    });
  }
});

describe("command lines that cannot be meant", () => {
  const cases = [
    ["--prot 3001", 'Unknown flag --prot. Did you mean "--port"?'],
    ["--readonli", 'Unknown flag --readonli. Did you mean "--read-only"?'],
    ["--PORT 3001", 'Unknown flag --PORT. Did you mean "--port"?'],
    ["-ro db.json", 'Unknown flag -ro. Did you mean "--ro"?'],
    ["-fks _id db.json", 'Unknown flag -fks. Did you mean "--fks"?'],
    ["--latency 10", 'Unknown flag --latency. Did you mean "--delay"?'],
    ["--db db.json", "Unknown flag --db. The source needs no flag: standin db.json."],
    ["--layers x", "Unknown flag --layers. It is a config file key, not a flag."],
    ["--port abc", "--port abc: --port expects a whole number from 0 to 65535, or auto."],
    ["--port -1", "--port -1: --port expects a whole number from 0 to 65535, or auto."],
    ["--port 65536", "--port 65536: --port expects a whole number from 0 to 65535, or auto."],
    ["--port 3000.5", "--port 3000.5: --port expects a whole number from 0 to 65535, or auto."],
    ["--durability both", "--durability both: --durability expects process or disk."],
    ["--delay 2147483648", "--delay 2147483648: --delay expects a whole number from 0 to 2147483647."],
  ] as const;
  for (const [line, message] of cases) {
    test(`standin ${line}`, () => {
      expect(() => resolveServeOptions(line.split(" "), createFolder())).toThrow(message);
    });
  }
});

describe("which value counts", () => {
  const resolvedIn = (files: Record<string, unknown>, ...argv: string[]) =>
    resolveServeOptions(argv, createFolder(files)).options;

  test("flag before file before default", () => {
    const files = { "standin.json": { port: 3001, host: "127.0.0.1" } };
    expect(resolvedIn(files, "--port", "3002")).toMatchObject({ port: 3002, host: "127.0.0.1", id: "id" });
  });

  test("a switch that the file turns on can be turned off", () => {
    const files = { "standin.json": { quiet: true, "no-cors": true, bodyParser: false } };
    expect(resolvedIn(files, "--no-quiet", "--no-cors=false", "--bodyParser")).toMatchObject({
      quiet: false,
      noCors: false,
      bodyParser: true,
    });
  });

  test("standin.json before json-server.json, and never both", () => {
    const files = { "standin.json": { port: 3001 }, "json-server.json": { port: 3002, host: "0.0.0.0" } };
    expect(resolvedIn(files)).toMatchObject({ port: 3001, host: "localhost" });
  });

  test("json-server.json when there is no standin.json", () => {
    expect(resolvedIn({ "json-server.json": { port: 3002 } })).toMatchObject({ port: 3002 });
  });

  test("--config before both", () => {
    const files = { "standin.json": { port: 3001 }, "dev.json": { port: 3003 } };
    expect(resolvedIn(files, "--config", "dev.json")).toMatchObject({ port: 3003 });
    expect(resolvedIn(files, "-c", "./dev.json")).toMatchObject({ port: 3003 });
  });

  test("the source of the command line before the source of the file", () => {
    const files = { "standin.json": { source: "shop.json" } };
    expect(resolvedIn(files).source).toBe("shop.json");
    expect(resolvedIn(files, "other.json").source).toBe("other.json");
  });

  test("--help and --version do not need a config file that works", () => {
    const files = { "standin.json": "{ broken" };
    expect(resolvedIn(files, "--help").help).toBe(true);
    expect(resolvedIn(files, "--version").version).toBe(true);
  });

  test("a config file may begin with a byte order mark and name its schema", () => {
    const { values, warnings } = readFile('\uFEFF{ "$schema": "./node_modules/standin/schema.json", "port": 3001 }');
    expect({ values, warnings }).toEqual({ values: { port: 3001 }, warnings: [] });
  });
});

describe("secrets in the config file", () => {
  const folder = createFolder({ "standin.json": { layers: { "api-key": { keys: ["abc", { env: "MY_KEY" }] } } } });

  test("can come from the environment", () => {
    const { options } = resolveServeOptions([], folder, { MY_KEY: "s3cret" });
    expect(options.layers).toEqual({ "api-key": { keys: ["abc", "s3cret"] } });
  });

  test("must then be there", () => {
    expect(() => resolveServeOptions([], folder, {})).toThrow(
      "standin.json: layers.api-key.keys[1]: the environment variable MY_KEY is not set.",
    );
  });
});

describe("ssl in the config file", () => {
  const cases = [
    [{ ssl: true }, { https: true }],
    [{ ssl: false }, { https: false }],
    [{ https: true }, { https: true }],
    [{ ssl: { cert: "c.pem", key: "k.pem" } }, { cert: "c.pem", key: "k.pem" }],
    [
      { "ssl.cert": "c.pem", "ssl.key": "k.pem" },
      { cert: "c.pem", key: "k.pem" },
    ],
    [
      { https: true, ssl: { cert: "c.pem", key: "k.pem" } },
      { https: true, cert: "c.pem", key: "k.pem" },
    ],
  ] as const;
  for (const [config, values] of cases) {
    test(JSON.stringify(config), () => {
      expect(readFile(config)).toEqual({ file: "standin.json", values, warnings: [] });
    });
  }

  test("any other value is refused", () => {
    for (const ssl of ["yes", 1, null, ["c.pem", "k.pem"]]) {
      expect(() => readFile({ ssl })).toThrow(
        `standin.json: "ssl" is ${JSON.stringify(ssl)}; it must be true, false or { "cert": ..., "key": ... }.`,
      );
    }
    expect(() => readFile({ ssl: { cert: 5 } })).toThrow('standin.json: "ssl.cert" is 5; it must be a string.');
    expect(readFile({ ssl: { certt: "c.pem" } }).warnings).toEqual([
      'standin.json: unknown key "ssl.certt" is ignored. Did you mean "ssl.cert"?',
    ]);
  });
});

describe("wrong types in the config file", () => {
  const wrong: Record<Option["type"], readonly unknown[]> = {
    boolean: ["yes", "", 1, null, [], {}],
    integer: ["30 00", "-1", "", "auto", 1.5, -1, true, null, []],
    "integer or auto": ["30 00", "-1", "", "any", 1.5, -1, true, null, []],
    string: [5, "", true, null, ["a"], {}],
    strings: ["", [1], {}, null, true],
    object: ["logger", ["logger"], 1, null, true],
    objects: ["reset", ["reset"], {}, null, true],
    "string or object": ["", 5, ["a"], null, true],
  };
  const allowed: Record<Option["type"], string> = {
    boolean: "true or false",
    integer: "a whole number from",
    "integer or auto": "a whole number from",
    string: "a string",
    strings: "a list of strings",
    object: "an object",
    objects: "a list of objects",
    "string or object": "a string or an object",
  };
  for (const [, { name, type, choices, min = 0, takesNumbers }] of IN_FILE) {
    const expected =
      (choices && asChoice(choices)) ?? (type.startsWith("integer") ? `${allowed[type]} ${min}` : allowed[type]);
    test(`"${name}" must be ${expected}: the message names file, key, value and what is allowed`, () => {
      for (const value of wrong[type]) {
        if (takesNumbers && typeof value === "number") continue;
        // Settings of layers hold secrets, which belong in no message.
        const given = type === "object" ? "not an object" : JSON.stringify(value);
        expect(() => readFile({ [name]: value })).toThrow(
          `standin.json: "${name}" is ${given}; it must be ${expected}`,
        );
      }
    });
  }

  test('"history" may be a number', () => {
    expect(readFile({ history: 50 }).values.history).toBe("50");
  });

  test('"durability" has a choice', () => {
    expect(() => readFile({ durability: "both" })).toThrow('"durability" is "both"; it must be process or disk.');
  });

  test('"port" has a range', () => {
    expect(() => readFile({ port: 65536 })).toThrow("a whole number from 0 to 65535");
  });
});

describe("config files that cannot be read", () => {
  const cases = [
    [
      "broken",
      '{\n  "port": 3000,\n  "host" "localhost"\n}',
      /standin\.json is not valid JSON: line 3, column 10: .*":"/,
    ],
    ["empty", "", /standin\.json is not valid JSON: line 1, column 1: expected a value/],
    ["an array", "[]", /standin\.json must contain a JSON object/],
    ["null", "null", /standin\.json must contain a JSON object/],
  ] as const;
  for (const [kind, text, message] of cases) {
    test(`${kind}: ${JSON.stringify(text)}`, () => {
      expect(() => readFile(text)).toThrow(message);
    });
  }

  test("a file named by --config must exist", () => {
    expect(() => resolveServeOptions(["--config", "nope.json"], createFolder())).toThrow(
      /The config file nope\.json cannot be read: it does not exist\./,
    );
  });
});

describe("unknown keys in the config file", () => {
  const cases = [
    ["ports", 'standin.json: unknown key "ports" is ignored. Did you mean "port"?'],
    ["middleware", 'standin.json: unknown key "middleware" is ignored. Did you mean "middlewares"?'],
    ["readonli", 'standin.json: unknown key "readonli" is ignored. Did you mean "read-only"?'],
    ["latency", 'standin.json: unknown key "latency" is ignored. Did you mean "delay"?'],
    ["db", 'standin.json: unknown key "db" is ignored. Did you mean "source"?'],
    ["colour", 'standin.json: unknown key "colour" is ignored.'],
    ["__proto__", 'standin.json: unknown key "__proto__" is ignored.'],
  ] as const;
  for (const [key, warning] of cases) {
    test(`"${key}" is a warning`, () => {
      expect(readFile(`{ ${JSON.stringify(key)}: 1, "port": 3001 }`)).toEqual({
        file: "standin.json",
        values: { port: 3001 },
        warnings: [warning],
      });
    });
  }
});

describe.concurrent("at the terminal", () => {
  const refused = [
    ["an unknown flag", ["--prot", "1"], {}, 'standin: Unknown flag --prot. Did you mean "--port"?'],
    [
      "a broken config file",
      [],
      { "standin.json": '{\n  "port": }' },
      "standin.json is not valid JSON: line 2, column 11:",
    ],
    [
      "a wrong type",
      [],
      { "json-server.json": { port: "eighty" } },
      'json-server.json: "port" is "eighty"; it must be a whole',
    ],
    ["a missing config file", ["--config", "nope.json"], {}, "The config file nope.json cannot be read"],
  ] as const;
  for (const [kind, argv, files, message] of refused) {
    test(`${kind} is one line on standard error, exit code 1, and nothing is created`, async () => {
      const folder = createFolder(files);
      const { output, exit } = runKept(argv, folder);
      expect(await exit).toBe(1);
      expect(output.stderr).toContain(message);
      expect(output.stderr.trimEnd()).not.toContain("\n");
      expect(output.stdout).toBe("");
      expect(() => readFileSync(join(folder, "db.json"))).toThrow("ENOENT");
    });
  }

  test("an unknown key is a warning, and the start continues", async () => {
    const server = await serveKept([], createFolder({ "standin.json": { ports: 3001 }, "db.json": { tags: [] } }));
    expect((await fetch(`${server.url}/tags`)).status).toBe(200);
    expect(server.output.stdout).toContain(
      'warning standin.json: unknown key "ports" is ignored. Did you mean "port"?',
    );
    expect(await server.stop()).toBe(0);
  });
});

describe.concurrent("options take effect", () => {
  const SHOP = {
    companies: [{ id: 1, name: "Acme" }],
    products: [{ id: 1, name: "Hat", company_id: 1 }],
  };

  /** Starts a server on these files, asks, and stops it. */
  async function ask<T>(
    argv: readonly string[],
    files: Record<string, unknown>,
    question: (url: string, stdout: string) => Promise<T>,
  ): Promise<T> {
    const server = await serveKept(argv, createFolder(files));
    try {
      return await question(server.url, server.output.stdout);
    } finally {
      await server.stop();
    }
  }

  async function json(url: string, init?: RequestInit) {
    const response = await fetch(url, init);
    return { status: response.status, body: await response.json() };
  }

  test("a config file of a json-server project serves as it stands", async () => {
    const files = {
      "json-server.json": {
        port: 1,
        "no-gzip": true,
        id: "_id",
        routes: "routes.json",
        quiet: false,
        source: "shop.json",
      },
      "routes.json": { "/api/v1/*": "/$1" },
      "shop.json": { products: [{ _id: "a", name: "Hat" }] },
    };
    const answer = await ask([], files, (url) => json(`${url}/api/v1/products/a`));
    expect(answer).toEqual({ status: 200, body: { _id: "a", name: "Hat" } });
  });

  test("--id names the key in paths, new records and Location", async () => {
    const files = { "db.json": { products: [{ sku: 7, name: "Hat" }] } };
    await ask(["--id", "sku"], files, async (url) => {
      expect(await json(`${url}/products/7`)).toEqual({ status: 200, body: { sku: 7, name: "Hat" } });
      const created = await fetch(`${url}/products`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"name":"Cap"}',
      });
      expect(await created.json()).toEqual({ name: "Cap", sku: 8 });
      expect(created.headers.get("Location")).toBe(`${url}/products/8`);
    });
  });

  const suffixes = [
    ["only company_id", { company_id: 1 }, [], "_id"],
    ["only companyId", { companyId: 1 }, [], "Id"],
    ["neither", { name: "Hat" }, [], "Id"],
    ["an _id of no collection", { brand_id: 1 }, [], "Id"],
    ["companyId, but --fks _id", { companyId: 1 }, ["--fks", "_id"], "_id"],
  ] as const;
  for (const [evidence, fields, argv, suffix] of suffixes) {
    test(`foreign keys: ${evidence} gives ${suffix}`, async () => {
      const files = { "db.json": { companies: [{ id: 1 }], products: [{ id: 1, ...fields }] } };
      await ask(argv, files, async (url, stdout) => {
        if (evidence.startsWith("only")) expect(stdout).toContain(`foreign keys end in ${suffix} (detected`);
        else expect(stdout).not.toContain("(detected");
        const { body } = await json(`${url}/companies/1/products`, { method: "POST" });
        expect(Object.keys(body as object)).toContain(`company${suffix}`);
      });
    });
  }

  test("--pretty indents", async () => {
    const text = await ask(["--pretty"], { "db.json": SHOP }, async (url) =>
      (await fetch(`${url}/companies/1`)).text(),
    );
    expect(text).toBe('{\n  "id": 1,\n  "name": "Acme"\n}');
  });

  test("--read-only rejects writes and allows reads", async () => {
    await ask(["--ro"], { "db.json": SHOP }, async (url) => {
      const refused = await json(`${url}/products/1`, { method: "DELETE" });
      expect(refused).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
      expect((await json(`${url}/products/1`)).status).toBe(200);
    });
  });

  test("--delay delays every response", async () => {
    await ask(["-d", "300"], { "db.json": SHOP }, async (url) => {
      const startedAt = performance.now();
      expect((await json(`${url}/products/1`)).status).toBe(200);
      // A timer may fire a moment early.
      expect(performance.now() - startedAt).toBeGreaterThan(290);
    });
  });

  test("--no-cors, bare, switches cross-origin headers off; without it the origin is echoed", async () => {
    const allowedOrigin = async (url: string) =>
      (await fetch(`${url}/products`, { headers: { Origin: "http://app.test" } })).headers.get(
        "Access-Control-Allow-Origin",
      );
    expect(await ask(["--no-cors"], { "db.json": SHOP }, allowedOrigin)).toBeNull();
    expect(await ask([], { "db.json": SHOP }, allowedOrigin)).toBe("http://app.test");
  });

  test("--no-gzip, bare, switches compression off; without it large responses are compressed", async () => {
    const files = { "db.json": { notes: [{ id: 1, text: "x".repeat(5000) }] } };
    const encoding = async (url: string) =>
      (await fetch(`${url}/notes`, { headers: { "Accept-Encoding": "gzip" } })).headers.get("Content-Encoding");
    expect(await ask(["--no-gzip"], files, encoding)).toBeNull();
    expect(await ask([], files, encoding)).toBe("gzip");
  });

  for (const [folderName, argv] of [
    ["public", []],
    ["assets", ["--static", "assets"]],
  ] as const) {
    test(`files of ./${folderName} are served (${argv.join(" ") || "by default"}) and win over collections`, async () => {
      const folder = createFolder({ "db.json": SHOP });
      mkdirSync(join(folder, folderName));
      writeFileSync(join(folder, folderName, "hello.txt"), "hello");
      writeFileSync(join(folder, folderName, "products"), "a file");
      const server = await serveKept(argv, folder);
      expect(await (await fetch(`${server.url}/hello.txt`)).text()).toBe("hello");
      expect(await (await fetch(`${server.url}/products`)).text()).toBe("a file");
      expect((await json(`${server.url}/companies/1`)).body).toEqual({ id: 1, name: "Acme" });
      await server.stop();
    });
  }

  test("--static with a folder that does not exist warns, and serves its files once it does", async () => {
    const folder = createFolder({ "db.json": SHOP });
    const server = await serveKept(["--static", "build"], folder);
    expect(server.output.stdout).toContain("warning The static folder build does not exist");
    expect((await json(`${server.url}/products/1`)).status).toBe(200);
    mkdirSync(join(folder, "build"));
    writeFileSync(join(folder, "build/hello.txt"), "hello");
    expect(await (await fetch(`${server.url}/hello.txt`)).text()).toBe("hello");
    await server.stop();
  });

  test("--host 127.0.0.1 listens there and nowhere else", async () => {
    await ask(["--host", "127.0.0.1"], { "db.json": SHOP }, async (url) => {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await json(`${url}/products/1`)).status).toBe(200);
      await expect(fetch(url.replace("127.0.0.1", "[::1]"))).rejects.toThrow("fetch failed");
    });
  });

  test("--host 0.0.0.0 accepts connections from other machines, and prints an address that works", async () => {
    const own = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family }) => family === "IPv4");
    expect(own.length).toBeGreaterThan(0);
    await ask(["--host", "0.0.0.0"], { "db.json": SHOP }, async (url) => {
      expect(url).toMatch(/^http:\/\/localhost:\d+$/);
      for (const host of ["localhost", ...own.map(({ address }) => address)]) {
        expect((await json(`${url.replace("localhost", host)}/products/1`)).status, host).toBe(200);
      }
    });
  });

  test("--trustProxy takes scheme and host from the proxy; without it the headers are ignored", async () => {
    const location = async (url: string) => {
      const headers = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "api.test" };
      return (await fetch(`${url}/products`, { method: "POST", headers })).headers.get("Location");
    };
    expect(await ask(["--trustProxy"], { "db.json": SHOP }, location)).toBe("https://api.test/products/2");
    expect(await ask([], { "db.json": SHOP }, location)).toMatch(/^http:\/\/localhost:\d+\/products\/2$/);
  });
});
