import { once } from "node:events";
import { readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SERVE_OPTIONS, type ServeOptions } from "../../src/config/options.ts";
import { createStandin, type StandinOptions } from "../../src/index.ts";
import jsonServer from "../../src/json-server/module.ts";
import { askAt, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

/**
 * The command line and `createStandin` build their servers from the same options. Each option is given to both, and both
 * are asked whether it has arrived. An option that is missing here fails the first test.
 */
interface Door {
  readonly url: string;
  readonly folder: string;
}

interface Case {
  /** The config key and its value. */
  readonly file: Partial<Record<string, unknown>>;
  /** The same in the words of `createStandin`. */
  readonly program: Partial<StandinOptions>;
  readonly files?: Readonly<Record<string, unknown>>;
  /** Resolves to something that tells whether the option is in force. */
  readonly look: (door: Door) => Promise<unknown>;
  readonly seen: unknown;
}

const DATA = {
  products: [{ id: 1, name: "Hat", companyKey: 1, company_id: 1 }],
  companies: [{ id: 1, name: "Acme" }],
};
const CROSS = { headers: { Origin: "http://elsewhere.test" } };

const header = (name: string, line = "GET /products", headers = {}) => {
  return async ({ url }: Door): Promise<unknown> => (await askAt(url, line, { headers })).headers.get(name);
};
const code = (line: string, headers = {}) => {
  return async ({ url }: Door): Promise<unknown> => codeOf(await askAt(url, line, { headers, body: {} }));
};
const status = (line: string, headers = {}) => {
  return async ({ url }: Door): Promise<unknown> => (await askAt(url, line, { headers })).status;
};

const CASES: Partial<Record<keyof ServeOptions, Case>> = {
  middlewares: {
    file: { middlewares: ["latency"], layers: { latency: { minMs: 1, maxMs: 1 } } },
    program: { middlewares: ["latency"], layers: { latency: { minMs: 1, maxMs: 1 } } },
    look: header("x-simulated-delay"),
    seen: "1ms",
  },
  routes: {
    file: { routes: "routes.json" },
    files: { "routes.json": { "/api/*": "/$1" } },
    program: { routes: { "/api/*": "/$1" } },
    look: status("GET /api/products/1"),
    seen: 200,
  },
  readOnly: {
    file: { "read-only": true },
    program: { readOnly: true },
    look: code("POST /products"),
    seen: "READ_ONLY",
  },
  noCors: {
    file: { "no-cors": true },
    program: { cors: false },
    look: header("access-control-allow-origin", "GET /products", CROSS.headers),
    seen: null,
  },
  noGzip: {
    file: { "no-gzip": true },
    program: { compression: false },
    look: header("vary"),
    seen: "Origin",
  },
  noConsole: {
    file: { "no-console": true },
    program: { console: false },
    look: status("GET /__openapi.json"),
    seen: 404,
  },
  traffic: { file: { traffic: 0 }, program: { traffic: 0 }, look: code("GET /__requests"), seen: "TRAFFIC_OFF" },
  snapshots: {
    file: { snapshots: "saved" },
    program: { snapshots: "saved" },
    look: status("GET /__snapshots__"),
    seen: 200,
  },
  files: {
    file: { files: "uploads" },
    program: { files: "uploads" },
    look: async ({ url, folder }) => {
      await askAt(url, "POST /__files", { body: "hello", headers: { "Content-Type": "text/plain" } });
      return readdirSync(join(folder, "uploads")).filter((name) => name.length === 64).length;
    },
    seen: 1,
  },
  maxFileBytes: {
    file: { maxFileBytes: 4 },
    program: { maxFileBytes: 4 },
    look: async ({ url }) =>
      codeOf(await askAt(url, "POST /__files", { body: "hello", headers: { "Content-Type": "text/plain" } })),
    seen: "FILE_TOO_LARGE",
  },
  sandboxes: {
    file: { sandboxes: 0 },
    program: { sandboxes: { count: 0 } },
    look: code("GET /__sandboxes"),
    seen: "SANDBOXES_OFF",
  },
  sandboxExpiry: {
    file: { sandboxExpiry: 60, clock: "2030-01-01T00:00:00Z" },
    program: { sandboxes: { expirySeconds: 60 } },
    look: async ({ url }) => {
      const made = (await askAt(url, "POST /__sandboxes", { body: {} })).body as Record<string, string>;
      return Date.parse(made.expires_at!) - Date.parse(made.created_at!);
    },
    seen: 60_000,
  },
  sandboxMegabytes: {
    file: { sandboxMegabytes: 1 },
    program: { sandboxes: { megabytes: 1 } },
    look: async ({ url }) => {
      const body = { text: "x".repeat(2 * 2 ** 20) };
      await askAt(url, "POST /__sandbox/a/products", { body });
      return codeOf(await askAt(url, "POST /__sandbox/a/products", { body }));
    },
    seen: "SANDBOX_FULL",
  },
  history: {
    file: { history: "off" },
    program: { history: "off" },
    look: code("GET /__history"),
    seen: "HISTORY_OFF",
  },
  collections: {
    file: { collections: { products: { id: "prefix:p_", defaults: { stock: 0 } } } },
    program: { collections: { products: { id: "prefix:p_", defaults: { stock: 0 } } } },
    look: async ({ url }) => {
      const made = (await askAt(url, "POST /products", { body: {} })).body as { id: string; stock: number };
      return [made.id.slice(0, 2), made.stock];
    },
    seen: ["p_", 0],
  },
  hooks: {
    file: { hooks: [{ name: "all", on: "*", to: "http://localhost:4000" }] },
    program: { hooks: [{ name: "all", on: "*", to: "http://localhost:4000" }] },
    look: status("GET /__hooks/all"),
    seen: 200,
  },
  timeline: {
    file: { timeline: [{ name: "end", on: "products.created", after: "1h", remove: true }] },
    program: { timeline: [{ name: "end", on: "products.created", after: "1h", remove: true }] },
    look: async ({ url }) => (await askAt(url, "GET /__hooks")).body,
    seen: {
      hooks: [],
      timeline: [{ name: "end", on: "products.created", after: "1h", remove: true }],
      targets: [],
    },
  },
  hookTargets: {
    file: { hookTargets: ["http://localhost:4000"] },
    program: { hookTargets: ["http://localhost:4000"] },
    look: async ({ url }) => (await askAt(url, "GET /__hooks")).body,
    seen: { hooks: [], timeline: [], targets: ["http://localhost:4000"] },
  },
  faults: {
    file: { faults: [{ fault: "status", status: 418 }] },
    program: { faults: [{ fault: "status", status: 418 }] },
    look: status("GET /products"),
    seen: 418,
  },
  rules: {
    file: { rules: "rules.json" },
    files: { "rules.json": { products: { required: ["name"] } } },
    program: { rules: { products: { required: ["name"] } } },
    look: code("POST /products"),
    seen: "RECORD_INVALID",
  },
  plugins: {
    file: { plugins: ["./plugin.cjs"], pluginOptions: { greeter: { word: "Hi" } } },
    files: {
      "plugin.cjs":
        'module.exports = { name: "greeter", options: { word: { type: "string" } }, routes: { "GET /greet": ({ options }) => options.word } };',
    },
    program: {
      plugins: [
        {
          name: "greeter",
          options: { word: { type: "string" } },
          routes: { "GET /greet": ({ options }: { options: { word: string } }) => options.word },
        },
      ],
      pluginOptions: { greeter: { word: "Hi" } },
    },
    look: async ({ url }) => (await askAt(url, "GET /greet")).body,
    seen: "Hi",
  },
  clock: {
    file: { clock: "2030-01-01T00:00:00Z" },
    program: { clock: "2030-01-01T00:00:00Z" },
    look: async ({ url }) => ((await askAt(url, "GET /__overview")).body as { startedAt: string }).startedAt,
    seen: "2030-01-01T00:00:00.000Z",
  },
  queryBudget: {
    file: { queryBudget: 1 },
    program: { queryBudget: 1 },
    look: async ({ url }) => {
      const items = Array.from({ length: 2000 }, (_, at) => ({ name: `${at} lorem ipsum dolor sit amet` }));
      await askAt(url, "POST /products", { body: items });
      const where = { or: Array.from({ length: 99 }, (_, at) => ({ name: { like: `(a|b)*(x|y)+${at}$` } })) };
      return codeOf(await askAt(url, "QUERY /products", { body: { _where: where } }));
    },
    seen: "QUERY_TOO_COSTLY",
  },
  delay: {
    file: { delay: 2 ** 31 - 1 },
    program: { delay: 2 ** 31 - 1 },
    look: ({ url }) => Promise.race([status("GET /products")({ url, folder: "" }), late(250)]),
    seen: "late",
  },
  id: {
    file: { id: "name" },
    program: { id: "name" },
    look: status("GET /products/Hat"),
    seen: 200,
  },
  dialect: {
    file: { dialect: "json-server-1" },
    program: { dialect: "json-server-1" },
    look: async ({ url }) => (await askAt(url, "GET /products?nosuch=1")).body,
    seen: [],
  },
  foreignKeySuffix: {
    file: { foreignKeySuffix: "Key" },
    program: { foreignKeySuffix: "Key" },
    look: async ({ url }) => Object.keys(((await askAt(url, "GET /products?_expand=company")).body as object[])[0]!),
    seen: ["id", "name", "companyKey", "company_id", "company"],
  },
  relations: {
    file: { relations: { products: { companyKey: "companies" } } },
    program: { relations: { products: { companyKey: "companies" } } },
    look: async ({ url }) =>
      ((await askAt(url, "GET /products/1?_expand=companyKey")).body as (typeof DATA.products)[0]).companyKey,
    seen: DATA.companies[0],
  },
  pretty: {
    file: { pretty: true },
    program: { pretty: true },
    look: async ({ url }) => (await askAt(url, "GET /companies/1")).text.split("\n").length,
    seen: 4,
  },
  base: {
    file: { base: "/api" },
    program: { base: "/api" },
    look: status("GET /api/products/1"),
    seen: 200,
  },
  trustProxy: {
    file: { trustProxy: true },
    program: { trustProxy: true },
    look: header("location", "POST /companies", { "X-Forwarded-Host": "shop.test", "X-Forwarded-Proto": "https" }),
    seen: expect.stringMatching(/^https:\/\/shop\.test\/companies\//),
  },
  allowedHosts: {
    file: { allowedHosts: ["shop.test"] },
    program: { allowedHosts: ["shop.test"] },
    look: status("GET /__rules", { Host: "shop.test" }),
    seen: 200,
  },
  static: {
    file: { static: "files" },
    files: { "files/note.txt": "hello" },
    program: {},
    look: status("GET /note.txt"),
    seen: 200,
  },
};

/** Options that no request can see, or that one of the doors has not; each with its reason. */
const ELSEWHERE: Partial<Record<keyof ServeOptions, string>> = {
  source: "both serve a source or data; test/durability and test/program",
  mounts: "the command line's own; test/commands/mounts.test.ts",
  config: "the command line's own",
  port: "every test of either door picks one",
  host: "test/app/config.test.ts; a program passes it to listen",
  watch: "the command line's own: programs reload by themselves",
  memory: "`persist` of a program; test/app/program.test.ts",
  durability: "what a kept write survives; test/durability",
  data: "with a document as the source; test/features/document starts both doors",
  access: "needs the layer sign-in; test/features/access starts both doors",
  fallback: "needs a real API; test/features/record and test/commands/record",
  fallbackWrites: "the same",
  upstream: "the same",
  header: "the same",
  origin: "the same",
  insecure: "the same",
  validate: "of a document; test/features/document",
  validateSecurity: "of a document; test/features/document",
  allowOutsideRefs: "of a document; test/regressions/documents-show-no-other-files.test.ts",
  bind: "of a document; test/features/document",
  layers: "with middlewares",
  pluginOptions: "with plugins",
  seed: "test/generate/seed-and-clock.test.ts starts both doors",
  bodyParser: "what interceptors see; test/http/interceptors.test.ts",
  https: "the command line's own",
  cert: "the command line's own",
  key: "the command line's own",
  schema: "PostgreSQL; test/postgres",
  poolSize: "PostgreSQL; test/postgres",
  statementTimeout: "PostgreSQL; test/postgres",
  tables: "PostgreSQL; test/postgres/tables",
  databaseTls: "PostgreSQL; test/postgres",
  databaseCa: "PostgreSQL; test/postgres",
  indexes: "PostgreSQL; test/postgres",
  sample: "the command line's own; test/commands/sample.test.ts",
  open: "the command line's own",
  quiet: "the command line's own",
  color: "the command line's own",
  help: "the command line's own",
  version: "the command line's own",
};

test("every option is given to every door, or has a reason not to", () => {
  const covered = [...Object.keys(CASES), ...Object.keys(ELSEWHERE)].sort();
  expect(covered).toEqual(Object.keys(SERVE_OPTIONS).sort());
});

for (const [name, { file, program, files = {}, look, seen }] of Object.entries(CASES)) {
  describe(name, () => {
    test("arrives by the command line", async () => {
      const folder = createFolder({ "db.json": DATA, "standin.json": file, ...files });
      const served = await serveKept(["db.json", "--memory"], folder);
      try {
        expect(await look({ url: served.url, folder })).toEqual(seen);
      } finally {
        await served.stop();
      }
    });

    test("arrives by createStandin", async () => {
      const folder = createFolder(files);
      const own = { ...program } as Record<string, unknown>;
      if (own.snapshots !== undefined) own.snapshots = join(folder, String(own.snapshots));
      if (own.files !== undefined) own.files = join(folder, String(own.files));
      if (file.static !== undefined) own.static = join(folder, String(file.static));
      const api = await createStandin({ data: structuredClone(DATA), ...own } as StandinOptions);
      onTestFinished(() => api.close());
      expect(await look({ url: api.url, folder })).toEqual(seen);
    });
  });
}

test("the json-server module passes on every option of a router", async () => {
  const app = jsonServer.create();
  const router = jsonServer.router(structuredClone(DATA), {
    id: "name",
    foreignKeySuffix: "Key",
    allowedHosts: ["shop.test"],
  });
  app.use(router);
  const server = app.listen(0);
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await router.close();
  });
  const door = { url: `http://localhost:${(server.address() as AddressInfo).port}`, folder: "" };
  expect(await CASES.id!.look(door)).toBe(200);
  expect(await CASES.foreignKeySuffix!.look(door)).toEqual(["id", "name", "companyKey", "company_id"]);
  expect(await CASES.allowedHosts!.look(door)).toBe(200);
  expect((await askAt(door.url, "GET /products", { headers: { Prefer: "code=503" } })).status).toBe(503);
});

function late(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, "late"));
}
