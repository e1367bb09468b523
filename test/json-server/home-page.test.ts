import type { Express } from "express";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFolder } from "../support/cli.ts";
import { type Ask, closing, ENGINES, type Module, serve } from "./both-engines.ts";

/** The page at `/` comes from `defaults`, as in json-server 0.17.4, where it is a file of the package. */

const data = () => ({ posts: [{ id: 1 }], "tea pots": [] });

/** Runs a project in a folder with these files. */
function inFolder(files: Readonly<Record<string, string>>): void {
  const spy = vi.spyOn(process, "cwd").mockReturnValue(createFolder(files));
  onTestFinished(() => spy.mockRestore());
}

const quiet = { logger: false };

type Build = (engine: Module) => Express;
const SERVERS: Readonly<Record<string, Build>> = {
  "a router beside it": (engine) =>
    engine
      .create()
      .use(engine.defaults(quiet))
      .use(closing(engine.router(data()))),
  "a router below a path": (engine) =>
    engine
      .create()
      .use(engine.defaults(quiet))
      .use("/api", closing(engine.router(data()))),
  "an auth middleware after it": (engine) =>
    engine
      .create()
      .use(engine.defaults(quiet))
      .use((_req, res) => void res.status(401).json({})),
  "an auth middleware before it": (engine) =>
    engine
      .create()
      .use((_req, res) => void res.status(401).json({}))
      .use(engine.defaults(quiet)),
  "a handler of / after it": (engine) =>
    engine
      .create()
      .use(engine.defaults(quiet))
      .get("/", (_req, res) => void res.json({ mine: true })),
  "a router alone": (engine) => engine.create().use(closing(engine.router(data()))),
  "static files elsewhere": (engine) =>
    engine
      .create()
      .use(engine.defaults({ ...quiet, static: createFolder({ "index.html": "<p>mine</p>", "a.txt": "a" }) }))
      .use(closing(engine.router(data()))),
  "static files that are not there": (engine) =>
    engine
      .create()
      .use(engine.defaults({ ...quiet, static: "/nowhere-at-all" }))
      .use(closing(engine.router(data()))),
};

const LINES = ["GET /", "HEAD /", "GET /index.html", "GET /?a=1", "POST /", "OPTIONS /", "GET /api", "GET /a.txt"];

async function shown(ask: Ask): Promise<unknown[]> {
  const list: unknown[] = [];
  for (const line of LINES) {
    for (const accept of line === "GET /" ? ["text/html", "application/json", "*/*"] : ["*/*"]) {
      const { status, headers } = await ask(line, { headers: { Accept: accept, Origin: "http://page.example" } });
      // The body of a 404 says more, whatever it is in 0.17.
      const type = status === 404 ? "" : headers.get("content-type")?.toLowerCase();
      list.push([line, accept, status, type, headers.get("access-control-allow-origin")]);
    }
  }
  return list;
}

async function expectSame(build: Build): Promise<void> {
  const [expected, given] = await Promise.all(
    Object.values(ENGINES).map(async (one) => shown(await serve(build(one)))),
  );
  expect(given).toEqual(expected);
}

for (const [name, build] of Object.entries(SERVERS)) test(`${name}: as on 0.17`, () => expectSame(build));

for (const files of [{ "public/index.html": "<p>mine</p>" }, { "public/a.txt": "a" }] as const) {
  test(`${Object.keys(files)[0]}: as on 0.17`, async () => {
    inFolder(files);
    await expectSame(SERVERS["a router beside it"]!);
  });
}

describe("our own page", () => {
  test("holds no data, and runs its own script only", async () => {
    const { standin } = ENGINES;
    const ask = await serve(SERVERS["a router beside it"]!(standin!));
    const { text, headers } = await ask("GET /");
    expect(text).toContain("<h1>standin</h1>");
    expect(text).not.toContain("posts");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*script-src 'sha256-/);
    expect((await ask("GET /__overview")).body).toMatchObject({ members: [{ name: "posts" }, { name: "tea pots" }] });
  });

  test("without it, the 404 at / names the collections", async () => {
    const { standin } = ENGINES;
    const { status, body } = await (await serve(SERVERS["a router alone"]!(standin!)))("GET /");
    expect([status, body]).toMatchObject([
      404,
      { code: "ROUTE_NOT_FOUND", message: expect.stringContaining("/posts") },
    ]);
  });
});
