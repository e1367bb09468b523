import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { beforeAll, describe, expect, it, test } from "vitest";
import { startOddUpstream } from "../features/record/odd-upstream.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { HAR_SCHEMA } from "../support/har-schema.ts";
import { serveJsonServer } from "../support/json-server-cli.ts";
import { addressOf, type KeptRun, runKept, serveKept } from "../support/kept-process.ts";

const SHOP = {
  products: Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    name: `Hat ${at + 1}`,
    price: at * 2,
    company_id: 1 + (at % 2),
  })),
  companies: [
    { id: 1, name: "Blue Kiln", locations: [{ city: "Rome" }] },
    { id: 2, name: "Red Loom", locations: [] },
  ],
};

/** Starts a recording on a free port. */
async function startRecording(args: readonly string[], folder: string): Promise<KeptRun & { readonly url: string }> {
  const run = runKept(["record", ...args, "--port", "0"], folder);
  return { ...run, url: await addressOf(run) };
}

const readJson = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

/** Every file below a folder, as one text. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1")).join("\n");
}

describe("a recording of json-server", () => {
  let folder: string;
  let printed: string;

  beforeAll(async () => {
    folder = createFolder({ "db.json": SHOP });
    const upstream = await serveJsonServer(["db.json"], folder);
    const { url, output, exit } = await startRecording([upstream, "--out", "shop", "--har", "shop.har"], folder);
    for (const line of [
      "GET /products?_page=1&_limit=5",
      "GET /products?_page=2&_limit=5",
      "GET /products/1",
      "GET /products/2",
      "GET /products/11",
      "GET /companies",
      "GET /companies/1",
      "GET /companies/9",
    ]) {
      expect((await askAt(url, line)).headers.get("x-standin-from")).toBe("upstream");
    }
    await askAt(url, "POST /products", { body: { name: "Cap", price: 3, company_id: 1 } });
    await askAt(url, "DELETE /products/3");
    expect((await askAt(url, "GET /__record")).body).toMatchObject({
      upstream,
      isRecording: true,
      exchanges: 10,
      collections: [
        { name: "products", count: 11 },
        { name: "companies", count: 2 },
      ],
      operations: expect.arrayContaining([{ method: "GET", path: "/products", count: 2 }]),
    });
    const going = await askAt(url, "POST /__record", { body: { stop: false } });
    expect(going.body).toMatchObject({ isRecording: true, serve: "standin shop/api.json --data shop/data.json" });
    expect((await askAt(url, "POST /__record", { body: { stop: "no" } })).status).toBe(400);
    await askAt(url, "GET /products/12");
    expect((await askAt(url, "POST /__record")).body).toMatchObject({ isRecording: false, exchanges: 11 });
    expect(await exit).toBe(0);
    printed = output.stdout;
  });

  test("is a document and its data, and an archive", () => {
    expect(readJson(folder, "shop/api.json")).toMatchObject({
      openapi: "3.1.0",
      paths: { "/products": { get: {}, post: {} } },
    });
    const { products, companies } = readJson(folder, "shop/data.json") as typeof SHOP;
    expect(products.map(({ id }) => id).sort((a, b) => a - b)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(companies).toEqual(SHOP.companies);
    const validate = new Ajv({ strict: false, formats: { uri: true } }).compile(HAR_SCHEMA);
    expect(validate(readJson(folder, "shop.har")) || validate.errors).toBe(true);
  });

  test("says at the start that it records, and at the end what it has and how to serve it", () => {
    expect(printed).toMatch(/Recording http:\/\/127\.0\.0\.1:\d+\. Point your app at/);
    expect(printed).toMatch(/Recorded 11 requests to .*: \d+ operations, 2 collections/);
    expect(printed).toContain("standin shop/api.json --data shop/data.json");
  });

  test("is served offline: pages, records, relations of what was seen, and writes", async () => {
    const { url } = await serveKept(["shop/api.json", "--data", "shop/data.json", "--memory"], folder);
    expect((await askAt(url, "GET /products/11")).body).toEqual(SHOP.products[10]);
    expect(((await askAt(url, "GET /products?_page=2&_limit=5")).body as object[]).length).toBe(5);
    expect((await askAt(url, "GET /products/3")).status).toBe(404);
    const created = await askAt(url, "POST /products", { body: { name: "Scarf", price: 4, company_id: 2 } });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: number };
    expect((await askAt(url, `GET /products/${id}`)).body).toMatchObject({ name: "Scarf" });
    expect((await askAt(url, "DELETE /products/1")).status).toBe(200);
    expect((await askAt(url, "GET /products/1")).status).toBe(404);
  });

  test("is updated by an archive of the same API, and changes nothing that was not seen again", async () => {
    const before = readFileSync(join(folder, "shop/data.json"), "utf8");
    const { exit } = runKept(["record", "--from", "shop.har", "--out", "again"], folder);
    expect(await exit).toBe(0);
    expect(readJson(folder, "again/data.json")).toEqual(JSON.parse(before));
    const files = () => ["api.json", "data.json"].map((name) => readFileSync(join(folder, "again", name), "utf8"));
    const repeat = () => runKept(["record", "--from", "shop.har", "--out", "again"], folder).exit;
    expect(await repeat()).toBe(0);
    const first = files();
    expect(await repeat()).toBe(0);
    expect(files()).toEqual(first);
  });
});

describe("a recording of joined records", () => {
  const JOINED = {
    orders: [{ id: 1, total: 12 }],
    lines: [1, 2, 3].map((id) => ({ id, order_id: 1, count: id })),
    categories: [{ id: 7, name: "Hats" }],
    products: [
      { id: 1, name: "Cap", category_id: 7 },
      { id: 2, name: "Bonnet", category_id: 7 },
    ],
  };
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = createFolder({ "db.json": JOINED });
    const upstream = await serveJsonServer(["db.json"], folder);
    const recording = await startRecording([upstream], folder);
    for (const path of ["/orders/1?_embed=lines", "/products/1?_expand=category", "/products/2"]) {
      expect((await askAt(recording.url, `GET ${path}`)).status).toBe(200);
    }
    await askAt(recording.url, "POST /__record");
    await recording.exit;
    url = (await serveKept(["recording/api.json", "--data", "recording/data.json", "--memory"], folder)).url;
  });

  const MENDED = "(mended by: OpenAPI: facts, rules, one interpreter)";
  const stored = (name: string) => (readJson(folder, "recording/data.json") as Record<string, object[]>)[name];

  it.fails(`shows the lines of an order again ${MENDED}`, async () => {
    const { body } = await askAt(url, "GET /orders/1?_embed=lines");
    expect(body).toEqual({ ...JOINED.orders[0], lines: JOINED.lines });
  });

  it.fails(`never replaces a stored field by an empty one ${MENDED}`, async () => {
    expect(stored("orders")).toHaveLength(1);
    const { body } = await askAt(url, "GET /orders/1?_embed=lines");
    expect(body).toHaveProperty("lines.length", 3);
  });

  it.fails(`has what was embedded as a collection ${MENDED}`, async () => {
    expect((await askAt(url, "GET /lines")).body).toEqual(JOINED.lines);
  });

  it.fails(`keeps what was expanded out of the stored records ${MENDED}`, () => {
    expect(stored("products")).toEqual(JOINED.products);
  });

  it.fails(`has what was expanded as a collection ${MENDED}`, async () => {
    expect((await askAt(url, "GET /categories/7")).body).toEqual(JOINED.categories[0]);
  });

  it.fails(`shows the category of a product again ${MENDED}`, async () => {
    const { body } = await askAt(url, "GET /products/1?_expand=category");
    expect(body).toEqual({ ...JOINED.products[0], category: JOINED.categories[0] });
    expect((await askAt(url, "GET /products/1")).body).toEqual(JOINED.products[0]);
  });
});

describe("nothing is overwritten without --overwrite", () => {
  test.each([
    [
      "a document of the user's",
      { "shop/api.json": { openapi: "3.1.0" } },
      [],
      "api.json was not written by standin record",
    ],
    ["data of the user's", { "shop/data.json": { a: [] } }, [], "data.json was not written by standin record"],
    ["an archive", { "x.har": {} }, ["--har", "x.har"], "x.har exists"],
  ])("%s", async (_, files, args, message) => {
    const folder = createFolder({ ...files, "in.har": harOf("https://api.test/a") });
    const { exit, output } = runKept(["record", "--from", "in.har", "--out", "shop", ...args], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain(message);
    const again = runKept(["record", "--from", "in.har", "--out", "shop", "--overwrite", ...args], folder);
    expect(await again.exit).toBe(0);
  });

  test.each([
    [["record"], "record needs the address of an API"],
    [["record", "api"], '"api" is not the address of an API'],
    [["record", "--from", "none.har"], "none.har cannot be read"],
    [
      ["record", "https://b.test", "--from", "in.har"],
      "in.har has no requests to https://b.test. It has some to https://api.test.",
    ],
    [["record", "http://localhost:1", "--header", "Authorization: {env:NO_SUCH_TOKEN}"], "NO_SUCH_TOKEN is not set"],
  ])("%j says what to change", async (args, message) => {
    const folder = createFolder({ "in.har": harOf("https://api.test/a") });
    const { exit, output } = runKept(args, folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain(message);
    expect(existsSync(join(folder, "recording"))).toBe(false);
  });
});

test("--include and --exclude choose what is recorded; everything is passed on", async () => {
  const folder = createFolder();
  const upstream = await startOddUpstream();
  const args = [upstream.url, "--include", "/v1/*", "--exclude", "/v1/metrics*"];
  const { url, exit } = await startRecording(args, folder);
  for (const path of ["/v1/a", "/v1/metrics/7", "/v1/metrics", "/v2/a"])
    expect((await askAt(url, `GET ${path}`)).status).toBe(200);
  const { body } = await askAt(url, "POST /__record");
  expect(body).toMatchObject({ exchanges: 1, skipped: [{ reason: "excluded path", count: 3 }] });
  await exit;
  await upstream.close();
});

/** 60 secrets in 12 places. None may reach the disk or `/__record`. */
const secret = (place: string, at: number): string =>
  `${place}S3cr3t${at}x${(at * 7919 + place.length * 104729).toString(36)}`;
const secrets = (place: string): string[] => [0, 1, 2, 3, 4].map((at) => secret(place, at));
const PLACES = [
  "bearer",
  "apikey",
  "cookie",
  "setcookie",
  "query",
  "segment",
  "form",
  "field",
  "nested",
  "basic",
  "redirect",
  "encoded",
] as const;

test("of 60 secrets in 12 places, none is on disk or in /__record", async () => {
  const folder = createFolder();
  const upstream = await startOddUpstream((req, res) => {
    const at = Number(new URL(req.url ?? "", "http://x").searchParams.get("at"));
    res.writeHead(200, {
      "Content-Type": "application/json",
      "Set-Cookie": `sid=${secret("setcookie", at)}; Path=/`,
      Location: `https://app.test/cb#access_token=${secret("redirect", at)}&state=1`,
    });
    res.end(
      JSON.stringify({
        id: at,
        password: secret("field", at),
        credentials: { deep: [{ value: secret("nested", at) }] },
        blob: Buffer.from(`{"token":"${secret("encoded", at)}"}`).toString("base64"),
        // An innocent name repeats a secret of the request.
        echo: `used ${secret("bearer", at)}`,
      }),
    );
  });
  const { url, exit, output } = await startRecording([upstream.url, "--har", "all.har"], folder);
  for (let at = 0; at < 5; at++) {
    const path = `/things/${at}?at=${at}&api_token=${secret("query", at)}`;
    const headers = {
      Authorization: `Bearer ${secret("bearer", at)}`,
      "X-Api-Key": secret("apikey", at),
      Cookie: `session=${secret("cookie", at)}`,
    };
    await askAt(url, `GET ${path}`, { headers });
    await askAt(url, `GET /tokens/${secret("segment", at)}?at=${at}`, {
      headers: { Authorization: `Basic ${Buffer.from(`ann:${secret("basic", at)}`).toString("base64")}` },
    });
    await askAt(url, `POST /login?at=${at}`, {
      body: `user=ann&password=${secret("form", at)}`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
  }
  const { text } = await askAt(url, "GET /__record");
  await askAt(url, "POST /__record");
  await exit;
  await upstream.close();
  const shown = text + everythingIn(folder);
  const forms = (one: string): string[] => [
    one,
    Buffer.from(one).toString("base64").slice(0, -4),
    Buffer.from(`ann:${one}`).toString("base64"),
  ];
  const leaked = PLACES.flatMap(secrets).filter((one) => forms(one).some((form) => shown.includes(form)));
  expect(PLACES.flatMap(secrets).length).toBe(60);
  expect(leaked).toEqual([]);
  expect(output.stdout).toMatch(/Redacted .*password \d+/);
  const key = join(folder, "recording/.standin/api.json.redaction-key");
  expect(statSync(key).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  expect(shown).toContain("redacted-");
});

test("what a recording hides is in /__requests, its archive and the lines of the terminal neither", async () => {
  const folder = createFolder();
  const random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  const hidden = {
    github: `ghp_${random}`,
    slack: `xoxb-1234567890-${random}`,
    stripe: `sk_live_${random}`,
    openai: `sk-proj-${random}`,
    webhook: `T01ABCDEF/B02ABCDEF/${random}`,
    ticket: `t1cket${random}`,
    invitation: "0a1b2c3d4e5f6789".repeat(4),
    patched: "annpw",
    said: "sw0rdfish",
  };
  const upstream = await startOddUpstream((_, res) => {
    const { github, slack, stripe, openai, webhook, ticket, said } = hidden;
    res.writeHead(200, { "Content-Type": "application/json", "X-Upstream": stripe });
    const message = `bad password '${said}'`;
    res.end(
      JSON.stringify({
        id: 1,
        github,
        slack,
        openai,
        ticket,
        message,
        hook: `https://hooks.slack.com/services/${webhook}`,
      }),
    );
  });
  const { url, exit, output } = await startRecording([upstream.url, "--har", "all.har"], folder);
  for (const path of ["/login", "/session"]) await askAt(url, `POST ${path}`, { body: { seen: hidden.ticket } });
  await askAt(url, `GET /invite/${hidden.invitation}?after=${hidden.github}`);
  await askAt(url, "PATCH /users/1", {
    body: [{ op: "test", path: "/password", value: hidden.patched }],
    headers: { "Content-Type": "application/json-patch+json" },
  });
  // Elsewhere, a ticket is no secret by its name.
  const { body } = await askAt(url, "GET /__requests?limit=2");
  const entries = (body as { requests: { requestBody?: string; responseBody: string }[] }).requests;
  expect(JSON.parse(entries[0]!.responseBody).ticket).toBe(hidden.ticket);
  expect(JSON.parse(entries[1]!.requestBody!)).toEqual([{ op: "test", path: "/password", value: "..." }]);
  const log = await askAt(url, "GET /__requests");
  const archive = await askAt(url, "GET /__requests?format=har");
  await askAt(url, "POST /__record");
  await exit;
  await upstream.close();
  const { ticket, ...everywhere } = hidden;
  const logged = (log.body as { requests: { url: string }[] }).requests.filter((one) => /login|session/.test(one.url));
  for (const one of Object.values(everywhere)) {
    for (const text of [log.text, archive.text, output.stdout]) expect(text).not.toContain(one);
  }
  for (const one of Object.values(hidden)) expect(everythingIn(folder)).not.toContain(one);
  expect(JSON.stringify(logged)).not.toContain(ticket);
});

test("an event stream passes through and is noted; a body over 10 MB passes through and is skipped", async () => {
  const folder = createFolder();
  const upstream = await startOddUpstream((_, res) => {
    res.writeHead(200, { "Content-Type": "application/json" });
    for (let at = 0; at < 11; at++) res.write(Buffer.alloc(1024 * 1024, "x"));
    res.end();
  });
  const { url, exit } = await startRecording([upstream.url], folder);
  expect((await askAt(url, "GET /large")).bytes.length).toBe(11 * 1024 * 1024);
  const events = await fetch(`${url}/events`);
  await events.body?.cancel();
  const { body } = await askAt(url, "POST /__record");
  expect(body).toMatchObject({
    skipped: expect.arrayContaining([
      { reason: "over 10 MB", count: 1 },
      { reason: "event stream", count: 1 },
    ]),
  });
  await exit;
  await upstream.close();
});

function harOf(url: string): object {
  const content = { mimeType: "application/json", text: "{}" };
  const entry = {
    startedDateTime: "2026-01-01T00:00:00Z",
    request: { method: "GET", url },
    response: { status: 200, content },
  };
  return { log: { entries: [entry] } };
}

test("a file with a syntax error is not replaced", async () => {
  const folder = createFolder({ "in.har": harOf("https://api.test/a") });
  await runKept(["record", "--from", "in.har"], folder).exit;
  writeFileSync(join(folder, "recording/data.json"), "{");
  const { exit, output } = runKept(["record", "--from", "in.har"], folder);
  expect(await exit).toBe(1);
  expect(output.stderr).toContain("data.json cannot be updated");
});
