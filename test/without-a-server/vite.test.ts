import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import {
  build,
  createLogger,
  createServer,
  type InlineConfig,
  type PreviewServer,
  preview,
  resolveConfig,
  type ViteDevServer,
} from "vite";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/app/create-standin.ts";
import { type StandinViteOptions, standin } from "../../src/app/vite.ts";
import { realPath } from "../../src/base/files/atomic-write.ts";
import { ownFile } from "../../src/store/file/own-folder.ts";
import { builtPackage } from "../support/build.ts";
import { catalog } from "../support/catalog.ts";
import { createPair } from "../support/certificates.ts";
import { createFolder } from "../support/cli.ts";
import { loadPages } from "../support/pages.ts";
import { askRaw } from "../support/raw.ts";
import { overHttp, type SeenResponse, sendCorpus } from "../support/request-corpus.ts";

const CLOCK = "2026-01-01T00:00:00.000Z";
const PAGE = "<!doctype html><title>The app</title><script type=module src=/main.js></script>";

function createProject(files: Readonly<Record<string, unknown>> = {}): string {
  return createFolder({ "index.html": PAGE, "main.js": "export {};", "db.json": catalog(), ...files });
}

/** A project that has standin installed, with this config. */
function createInstalled(config: string): [root: string, options: { readonly configFile: string }] {
  const root = createProject({ "vite.config.ts": config });
  mkdirSync(join(root, "node_modules"));
  symlinkSync(builtPackage(), join(root, "node_modules/standin"));
  symlinkSync(resolve("node_modules/vite"), join(root, "node_modules/vite"));
  return [root, { configFile: join(root, "vite.config.ts") }];
}

/** The options that every server of Vite needs in a test. */
function inlineConfig(root: string, more: InlineConfig): InlineConfig {
  const own = { port: 0, host: "127.0.0.1" };
  return { root, configFile: false, logLevel: "silent", server: { ...own, ws: false }, preview: own, ...more };
}

async function dev(root: string, more: InlineConfig): Promise<{ url: string; server: ViteDevServer }> {
  const server = await createServer(inlineConfig(root, more));
  onTestFinished(() => server.close());
  await server.listen();
  return { server, url: urlOf(server) };
}

async function showBuild(root: string, more: InlineConfig): Promise<{ url: string; server: PreviewServer }> {
  const server = await preview(inlineConfig(root, more));
  onTestFinished(() => server.close());
  return { server, url: urlOf(server) };
}

const serve = (root: string, options: StandinViteOptions = { source: "db.json" }) =>
  dev(root, { plugins: [standin(options)] });

function urlOf({ httpServer }: { readonly httpServer: Pick<Server, "address"> | null }): string {
  const address = httpServer?.address() as AddressInfo | undefined;
  return `http://127.0.0.1:${address?.port}`;
}

/** The lock on the data. */
function holderOf(root: string): { url?: string } | undefined {
  const file = ownFile(realPath(join(root, "db.json")), "lock");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

const send = (url: string, method: string, body: unknown = {}) =>
  fetch(url, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

describe("one corpus of requests, byte for byte as over a socket", () => {
  const options = { data: catalog(), clock: CLOCK, base: "/api" };
  let overSocket: SeenResponse[];

  beforeAll(async () => {
    await using server = await createStandin(options);
    overSocket = await sendCorpus(overHttp(server.port, "/api"));
  });

  test("in the development server", async () => {
    const { url } = await serve(createProject(), options);
    expect(await sendCorpus(overHttp(Number(new URL(url).port), "/api"))).toEqual(overSocket);
  });

  test("in the preview of a build", async () => {
    const { url } = await showBuild(createProject({ "dist/index.html": PAGE }), { plugins: [standin(options)] });
    expect(await sendCorpus(overHttp(Number(new URL(url).port), "/api"))).toEqual(overSocket);
  });
});

describe("in development", () => {
  test("the API is below its base, and the app everywhere else", async () => {
    const { url } = await serve(createProject());
    const look = async (path: string) => {
      const response = await fetch(url + path, { headers: { Accept: "text/html" } });
      return [response.status, response.headers.get("content-type")?.split(";")[0]];
    };
    expect(await look("/api/products")).toEqual([200, "application/json"]);
    expect(await look("/api/nothing")).toEqual([404, "application/json"]);
    expect(await look("/api/__console")).toEqual([200, "text/html"]);
    for (const path of ["/", "/products", "/apiary"]) expect(await look(path)).toEqual([200, "text/html"]);
    expect(await (await fetch(`${url}/api?x=1`)).json()).toMatchObject({ database: `${url}/api/db` });
  });

  test("writes are in the file, which has one server at a time", async () => {
    const root = createProject();
    const { url, server } = await serve(root);
    const made = await send(`${url}/api/companies`, "POST", { name: "New Ltd" });
    expect(made.headers.get("location")).toBe(`${url}/api/companies/4`);
    const source = join(root, "db.json");
    await expect.poll(() => holderOf(root)?.url).toBe(`${url}/api`.replace("127.0.0.1", "localhost"));
    await expect(createStandin({ source, persist: true })).rejects.toThrow("is in use");
    await server.close();
    expect(readFileSync(source, "utf8")).toContain("New Ltd");
    expect(holderOf(root)).toBeUndefined();
  });

  test("an edit of the file is taken over", async () => {
    const root = createProject();
    const { url } = await serve(root);
    writeFileSync(join(root, "db.json"), JSON.stringify({ lamps: [{ id: 1 }] }));
    await expect.poll(async () => (await fetch(`${url}/api/lamps/1`)).status).toBe(200);
  });

  test("Vite lists the console", async () => {
    const lines: string[] = [];
    const customLogger = { ...createLogger(), info: (line: string) => lines.push(line) };
    const plugins = [standin({ data: {}, base: "/api" }), standin({ data: {}, base: "/crm", console: false })];
    const { url, server } = await dev(createProject(), { plugins, customLogger, base: "/app/" });
    server.printUrls();
    expect(lines.slice(-2)).toEqual([`  ➜  standin: ${url}/api/__console`, `  ➜  standin: ${url}/crm`]);
  });

  test("HTTPS, which is HTTP/2 in Vite, has the addresses of its client", async () => {
    const https = await createPair();
    const { server } = await dev(createProject(), {
      plugins: [standin({ data: catalog(), base: "/api" })],
      server: { port: 0, host: "127.0.0.1", https, ws: false },
    });
    const { port } = new URL(urlOf(server));
    const client = connect(`https://localhost:${port}`, { ca: https.cert });
    onTestFinished(() => client.close());
    const head = { ":method": "POST", ":path": "/api/products", "content-type": "application/json" };
    const stream = client.request(head).end('{"name":"Größe"}');
    const headers = await new Promise<Record<string, unknown>>((resolve) => stream.once("response", resolve));
    expect([headers[":status"], headers.location]).toEqual([201, `https://localhost:${port}/api/products/13`]);
    expect(JSON.parse(await text(stream))).toEqual({ name: "Größe", id: 13 });
  });

  test("Vitest opens nothing before a test asks for it", async () => {
    const root = createProject();
    const plugins = [{ name: "vitest" }, standin({ source: "db.json" })];
    const { url } = await dev(root, { plugins });
    expect(holderOf(root)).toBeUndefined();
    expect((await fetch(`${url}/api/products/1`)).status).toBe(200);
    expect(holderOf(root)).toBeDefined();
  });
});

describe("Vite's own server gives out", () => {
  const SECRET = "s3cret-of-a-test";
  const data = { users: [{ id: 1, name: SECRET }] };
  const files = {
    "db [1].json": data,
    "db [1].outside-1700000000000.json": data,
    "db [1].json.files/data-files.json": [SECRET],
    ".standin/db [1].json.sign-in-keys": [SECRET],
    "saved/one.json": data,
    "denied-by-me.txt": [SECRET],
    ".env": [`KEY=${SECRET}`],
    "other/db.json": { ours: "of the app" },
  };
  const options = { source: "db [1].json", snapshots: "saved", persist: false } as const;
  const secrets = Object.keys(files).filter((name) => name !== "other/db.json");
  let root: string;
  let url: string;

  async function start(fs?: { deny: string[] }): Promise<void> {
    root = createProject(files);
    const plugins = [standin({ ...options, snapshots: join(root, "saved") })];
    ({ url } = await dev(root, { plugins, server: { port: 0, host: "127.0.0.1", ws: false, ...(fs && { fs }) } }));
  }

  const spellings = (name: string): string[] => {
    const path = encodeURI(name);
    const inFull = join(realPath(root), name);
    const every = [...name].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
    const paths = [path, every, path.replace(/[.]/g, "%2e"), path.replaceAll("/", "%2f"), `./${path}`, `/${path}`];
    const below = [...paths, `other/../${path}`, `other/%2e%2e/${path}`, `@fs${encodeURI(inFull)}`, `@fs/${every}`];
    return [...below, `@fs${encodeURI(join(root, "other"))}/../${path}`, `@id/${encodeURI(inFull)}`, `${path}/`];
  };
  const queries = [
    "",
    "?raw",
    "?import",
    "?import&raw",
    "?raw&import",
    "?url&import",
    "?inline&import",
    "?raw??",
    "?import&raw&t=1",
    "?direct",
    "?.svg?raw&import",
    "?html-proxy&index=0.js",
    "?v=1&raw",
  ];

  test.each([
    ["with Vite's own list", undefined],
    ["with a list of the user", { deny: ["denied-by-me.txt", ".env"] }],
  ])("neither data nor keys %s", async (_, fs) => {
    await start(fs);
    const shown: string[] = [];
    for (const name of secrets) {
      if (!fs && name === "denied-by-me.txt") continue;
      for (const path of spellings(name)) {
        for (const query of queries) {
          const { body } = await askRaw(Number(new URL(url).port), `GET /${path}${query}`, ["Sec-Fetch-Dest: script"]);
          if (body.includes(SECRET)) shown.push(`/${path}${query}`);
        }
      }
    }
    expect(shown).toEqual([]);
    expect(await (await fetch(`${url}/other/db.json?import`)).text()).toContain("of the app");
    expect(await (await fetch(`${url}/api/users`)).json()).toEqual(data.users);
  });

  test("data in its public folder, with a warning", async () => {
    const warnings: string[] = [];
    const customLogger = { ...createLogger("silent"), warn: (text: string) => void warnings.push(text) };
    const plugins = [standin({ source: "public/db.json", persist: false })];
    await dev(createProject({ "public/db.json": data }), { customLogger, plugins });
    expect(warnings).toEqual([expect.stringContaining("db.json is in Vite's public folder")]);
  });

  test("nothing that Vite denies without the plugin", async () => {
    const own = await resolveConfig({ configFile: false }, "serve");
    const ours = await resolveConfig({ configFile: false, plugins: [standin(options)] }, "serve");
    expect(ours.server.fs.deny).toEqual(expect.arrayContaining(own.server.fs.deny));
  });
});

describe("a restart of the development server", () => {
  const configText = (options: object): string =>
    `import { standin } from "standin/vite";\nexport default { plugins: [standin(${JSON.stringify(options)})] };`;

  test("closes the data before it opens it again, with the plugin of the new config", async () => {
    const [root, { configFile }] = createInstalled(configText({ source: "db.json", base: "/api" }));
    const { url, server } = await dev(root, { configFile });
    await send(`${url}/api/companies`, "POST", { name: "Before" });
    writeFileSync(configFile, configText({ source: "db.json", base: "/v2" }));
    await server.restart();
    expect(await (await fetch(`${urlOf(server)}/v2/companies/4`)).json()).toEqual({ id: 4, name: "Before" });
    expect(
      (await fetch(`${urlOf(server)}/api/companies/4`, { headers: { Accept: "text/html" } })).headers.get(
        "content-type",
      ),
    ).toContain("html");
    await send(`${urlOf(server)}/v2/companies`, "POST", { name: "After" });
    await server.close();
    expect(readFileSync(join(root, "db.json"), "utf8")).toContain("After");
    expect(holderOf(root)).toBeUndefined();
  });

  test("works with the same plugin object, twice", async () => {
    const root = createProject();
    const { server } = await serve(root);
    for (const id of [4, 5]) {
      await send(`${urlOf(server)}/api/companies`, "POST", { name: `Made ${id}` });
      await server.restart();
      expect((await fetch(`${urlOf(server)}/api/companies/${id}`)).status).toBe(200);
    }
    await server.close();
    expect(readFileSync(join(root, "db.json"), "utf8")).toContain("Made 5");
  });

  test("that fails leaves the last one at work", async () => {
    const [root, { configFile }] = createInstalled(configText({ source: "db.json" }));
    const { url, server } = await dev(root, { configFile });
    writeFileSync(configFile, configText({ source: "db.json", clock: "no time" }));
    await server.restart();
    expect((await fetch(`${url}/api/products/1`)).status).toBe(200);
  });
});

describe("in middleware mode", () => {
  /** A server of one's own in front of Vite. */
  async function inFront(root: string, config: InlineConfig): Promise<{ url: string; server: ViteDevServer }> {
    const own = { middlewareMode: true, ws: false } as const;
    const server = await createServer({ ...inlineConfig(root, config), server: own });
    const front = createHttpServer((req, res) => server.middlewares(req, res)).listen(0, "127.0.0.1");
    await once(front, "listening");
    onTestFinished(async () => {
      await server.close();
      front.close();
      front.closeAllConnections();
    });
    return { server, url: urlOf({ httpServer: front }) };
  }
  const plugins = () => [standin({ source: "db.json" })];
  const configFor = (source: string): string =>
    `import { standin } from "standin/vite";\nexport default { plugins: [standin({ source: "${source}" })] };`;

  test("a restart closes the data before it opens it again, and requests wait meanwhile", async () => {
    const root = createProject();
    const { url, server } = await inFront(root, { plugins: plugins() });
    expect((await send(`${url}/api/companies`, "POST", { name: "Before" })).status).toBe(201);
    let isRestarting = true;
    const restarted = server.restart().finally(() => {
      isRestarting = false;
    });
    const seen = new Set<number>();
    while (isRestarting) seen.add((await fetch(`${url}/api/companies/4`)).status);
    await restarted;
    expect([...seen]).toEqual([200]);
    expect((await send(`${url}/api/companies`, "POST", { name: "After" })).status).toBe(201);
    await server.close();
    expect(readFileSync(join(root, "db.json"), "utf8")).toMatch(/Before.*After/s);
    expect(holderOf(root)).toBeUndefined();
  });

  test("a restart with another source lets go of the last one", async () => {
    const [root, { configFile }] = createInstalled(configFor("db.json"));
    writeFileSync(join(root, "other.json"), JSON.stringify({ lamps: [{ id: 1 }] }));
    const { url, server } = await inFront(root, { configFile });
    expect(holderOf(root)).toBeDefined();
    writeFileSync(configFile, configFor("other.json"));
    await server.restart();
    expect((await fetch(`${url}/api/lamps/1`)).status).toBe(200);
    expect(holderOf(root)).toBeUndefined();
  });

  test("a server that opens while the last one closes waits for it, and a closed one opens nothing", async () => {
    const root = createProject();
    const last = await inFront(root, { plugins: plugins() });
    const closing = last.server.close();
    const next = await inFront(root, { plugins: plugins() });
    await closing;
    expect((await fetch(`${next.url}/api/products/1`)).status).toBe(200);
    await next.server.close();
    await fetch(`${next.url}/api/products/1`);
    expect(holderOf(root)).toBeUndefined();
  });
});

describe("the recipes", () => {
  const pages = loadPages();
  const recipesOf = (path: string) =>
    pages.find((page) => page.path === path)?.blocks.filter(({ name }) => name === "vite.config.ts") ?? [];
  const [readme] = recipesOf("README.md");
  const [plugin, proxy] = recipesOf("docs/guide/without-a-server.md");

  test("of the README and of the guide are the same", () => {
    expect(readme?.lines).toEqual(plugin?.lines);
  });

  const follow = async (text: string): Promise<string> => (await dev(...createInstalled(text))).url;

  async function expectOwnAddresses(url: string): Promise<void> {
    const made = await send(`${url}/api/products`, "POST");
    expect(made.headers.get("location")).toBe(`${url}/api/products/13`);
    const page = await fetch(`${url}/api/products?_page=1&_limit=5`);
    expect(page.headers.get("link")).toContain(`<${url}/api/products?_page=2&_limit=5>; rel="next"`);
  }

  test("for the plugin gives right addresses", async () => {
    await expectOwnAddresses(await follow(plugin?.lines.join("\n") ?? ""));
  });

  test("for the proxy gives right addresses, and so does a proxy that takes the prefix off", async () => {
    await using server = await createStandin({ data: catalog(), base: "/api" });
    const text = proxy?.lines.join("\n").replace("http://localhost:3000", `http://localhost:${server.port}`) ?? "";
    await expectOwnAddresses(await follow(text));
    await using atRoot = await createStandin({ data: catalog(), trustProxy: true });
    const taking =
      `${JSON.stringify(atRoot.url)}, headers: { "X-Forwarded-Prefix": "/api" }, ` +
      'rewrite: (path: string) => path.replace(/^.api/, "")';
    await expectOwnAddresses(await follow(text.replace(`"http://localhost:${server.port}"`, taking)));
  });
});

test("a build has nothing of it, and needs no data", async () => {
  const root = createProject();
  const withPlugin = standin({ source: "missing.json" });
  await build({ root, configFile: false, logLevel: "silent", plugins: [withPlugin], build: { outDir: "with" } });
  await build({ root, configFile: false, logLevel: "silent", build: { outDir: "without" } });
  const filesOf = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);
  expect(filesOf("with")).toEqual(filesOf("without"));
});

test("the preview of a build saves its data when it is closed", async () => {
  const root = createProject({ "dist/index.html": PAGE });
  const { url, server } = await showBuild(root, { plugins: [standin({ source: "db.json" })] });
  expect((await send(`${url}/api/companies`, "POST", { name: "New Ltd" })).status).toBe(201);
  await server.close();
  expect(readFileSync(join(root, "db.json"), "utf8")).toContain("New Ltd");
});

test("a base is needed, and mistakes end the start", async () => {
  expect(() => standin({ data: {}, base: "/" })).toThrow("standin/vite needs a base such as /api");
  await expect(serve(createProject(), { source: "missing.xml" })).rejects.toThrow("missing.xml");
});

test("the package has its types, and imports nothing of Vite", () => {
  expect(existsSync(join(builtPackage(), "dist/app/vite.d.ts"))).toBe(true);
  expect(readFileSync(join(builtPackage(), "dist/vite.js"), "utf8")).not.toMatch(/from ?"vite"/);
});
