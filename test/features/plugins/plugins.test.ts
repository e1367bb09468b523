import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin, type DataChange, definePlugin, type Standin, type StandinOptions } from "../../../src/index.ts";
import { type Answer, askAt, codeOf } from "../../support/api.ts";
import { createFolder, serveCli } from "../../support/cli.ts";
import { runKept, serveKept } from "../../support/kept-process.ts";

interface Shop {
  products: { id: number; name: string; price: number; company_id: number }[];
  companies: { id: number; name: string }[];
  orders: { id: number; product_id: number }[];
}

const shop = (): Shop => ({
  products: [
    { id: 1, name: "Hat", price: 10, company_id: 1 },
    { id: 2, name: "Lamp", price: 30, company_id: 1 },
  ],
  companies: [{ id: 1, name: "Acme" }],
  orders: [],
});

const dashboard = definePlugin<Shop, { limit: number }>({
  name: "dashboard",
  options: { limit: { type: "integer", default: 5, min: 1, help: "Products to list" } },
  routes: {
    "GET /dashboard/:id": async ({ db, params, query, options }) => {
      const company = await db.companies.get(params.id!);
      if (!company) return Response.json({ error: "No such company" }, { status: 404 });
      const products = await db.products.find(`company_id=${company.id}&_limit=${options.limit}`);
      return { company: company.name, products: products.length, shout: query.get("shout") };
    },
    "POST /orders": {
      summary: "Order a product",
      body: { type: "object", properties: { product_id: { type: "integer" } } },
      handle: async ({ db, request }) => {
        const { product_id } = (await request.json()) as { product_id: number };
        const order = await db.orders.create({ product_id });
        await db.products.update(product_id, { price: 0 });
        return Response.json(order, { status: 201, headers: { "X-Order": String(order.id) } });
      },
    },
    "DELETE /basket": () => undefined,
    "GET /broken": () => {
      throw new Error("out of lamps");
    },
    "GET /refused": () => {
      throw Object.assign(new Error("You may not."), { status: 403 });
    },
  },
});

async function start(options: Partial<StandinOptions<Shop>> = {}): Promise<Api> {
  const api = await createStandin<Shop>({ data: shop(), plugins: [dashboard], ...options } as StandinOptions<Shop>);
  onTestFinished(() => api.close());
  return { ...api, ask: (line, more) => askAt(api.url, line, more) };
}

interface Api extends Standin<Shop> {
  ask(line: string, more?: Parameters<typeof askAt>[2]): Promise<Answer>;
}

describe("routes", () => {
  test("respond with JSON, from the data, with path, query and options", async () => {
    const api = await start({ pluginOptions: { dashboard: { limit: 1 } } });
    const answer = await api.ask("GET /dashboard/1?shout=yes");
    expect([answer.status, answer.body]).toEqual([200, { company: "Acme", products: 1, shout: "yes" }]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
  });

  test("respond with any status and headers by a Response, and with 204 by nothing", async () => {
    const api = await start();
    const missing = await api.ask("GET /dashboard/9");
    expect([missing.status, missing.body]).toEqual([404, { error: "No such company" }]);
    expect((await api.ask("DELETE /basket")).status).toBe(204);
  });

  test("write to several collections, and override one method of a collection only", async () => {
    const api = await start();
    const made = await api.ask("POST /orders", { body: { product_id: 2 } });
    expect([made.status, made.headers.get("x-order"), made.body]).toEqual([201, "1", { id: 1, product_id: 2 }]);
    expect((await api.ask("GET /orders")).body).toEqual([{ id: 1, product_id: 2 }]);
    expect((await api.ask("GET /products/2")).body).toMatchObject({ price: 0 });
  });

  test("work on the data of the sandbox that a request names", async () => {
    const api = await start();
    await askAt(api.url, "POST /__sandbox/a/orders", { body: { product_id: 1 } });
    expect((await askAt(api.url, "GET /__sandbox/a/orders")).body).toHaveLength(1);
    expect((await api.ask("GET /orders")).body).toEqual([]);
  });

  test("405 with Allow for another method, 400 for a body that is not JSON", async () => {
    const api = await start();
    const refused = await api.ask("PUT /basket", { body: {} });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "DELETE, OPTIONS"]);
    expect(codeOf(await api.ask("POST /orders", { body: "{", headers: { "Content-Type": "application/json" } }))).toBe(
      "BODY_MALFORMED",
    );
  });

  test("an error is 500 PLUGIN_FAILED and told to the terminal; one with a 4xx status is the client's", async () => {
    const api = await start();
    const broken = await api.ask("GET /broken");
    expect([broken.status, codeOf(broken)]).toEqual([500, "PLUGIN_FAILED"]);
    expect(broken.body).toMatchObject({ message: "The plugin dashboard failed: out of lamps" });
    const refused = await api.ask("GET /refused");
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: "Plugin failed", message: "You may not.", code: "PLUGIN_FAILED" },
    ]);
  });

  test("layers guard them, read-only mode refuses their writes, rewrite rules lead to them", async () => {
    const keys = { "api-key": { keys: ["a-key-0123456789"] } };
    const guarded = await start({ middlewares: ["api-key"], layers: keys, routes: { "/api/*": "/$1" } });
    expect(codeOf(await guarded.ask("GET /dashboard/1"))).toBe("API_KEY_MISSING");
    const headers = { "X-API-KEY": "a-key-0123456789" };
    expect((await guarded.ask("GET /api/dashboard/1", { headers })).status).toBe(200);
    const readOnly = await start({ readOnly: true });
    expect(codeOf(await readOnly.ask("POST /orders", { body: {} }))).toBe("READ_ONLY");
  });

  test("are described in OpenAPI, with the layers that guard them", async () => {
    const api = await start();
    const { paths } = (await api.ask("GET /__openapi.json")).body as { paths: Record<string, Record<string, unknown>> };
    expect(paths["/dashboard/{id}"]).toMatchObject({
      parameters: [{ name: "id", in: "path", required: true }],
      get: { tags: ["dashboard"] },
    });
    expect(paths["/basket"]).toHaveProperty("delete");
  });

  test("are described beside the other methods of a collection", async () => {
    const routes = { "GET /companies/:company": () => 1, "POST /orders": () => 1 };
    const api = await start({ plugins: [{ name: "own", routes }] });
    const { paths } = (await api.ask("GET /__openapi.json")).body as { paths: Record<string, Record<string, unknown>> };
    expect(paths["/companies/{id}"]).toMatchObject({ get: { tags: ["own"] }, delete: { tags: ["companies"] } });
    expect(paths["/orders"]).toMatchObject({ get: { tags: ["orders"] }, post: { tags: ["own"] } });
    expect(paths).not.toHaveProperty(["/companies/{company}"]);
  });

  test("names that every object has are names like any other", async () => {
    const options = { constructor: { type: "string", default: "as set" } };
    const routes = { "GET /valueOf": ({ options: set }: { options: object }) => set };
    const api = await start({ plugins: [{ name: "toString", options, routes }], pluginOptions: {} });
    expect((await api.ask("GET /valueOf")).body).toEqual({ constructor: "as set" });
  });

  test("appear in the traffic log under the plugin's name", async () => {
    const api = await start();
    await api.ask("GET /dashboard/1");
    expect(api.requests()).toMatchObject([{ url: "/dashboard/1", answeredBy: "dashboard" }]);
  });
});

describe("step, onChange, open", () => {
  test("a step sees every request, may respond itself or change the response", async () => {
    const api = await start({
      plugins: [
        definePlugin<Shop>({
          name: "step",
          step: async ({ request, query }, next) => {
            if (query.has("closed")) return Response.json({ closed: true }, { status: 503 });
            const response = await next();
            if (request.method !== "GET" || !query.has("mark")) return response;
            const body = (await response.json()) as object;
            return Response.json({ ...body, marked: true }, { headers: response.headers });
          },
        }),
      ],
    });
    expect((await api.ask("GET /products/1?closed=1")).status).toBe(503);
    expect((await api.ask("GET /products/1?mark=1")).body).toMatchObject({ id: 1, marked: true });
    const plain = await api.ask("GET /products/1");
    expect(plain.body).not.toHaveProperty("marked");
    expect(plain.headers.get("etag")).not.toBeNull();
    expect((await api.ask("GET /products/9")).status).toBe(404);
  });

  test("onChange hears of each write and may write itself; open runs once, and ends with the server", async () => {
    const seen: unknown[] = [];
    const ended: string[] = [];
    const api = await createStandin<Shop>({
      data: shop(),
      plugins: [
        definePlugin<Shop>({
          name: "listener",
          open: async ({ db }) => {
            seen.push((await db.products.find()).length);
            return () => ended.push("listener");
          },
          onChange: async ({ edits = [] }, { db }) => {
            seen.push(edits.map(({ name, kind }) => `${kind} ${name}`).join());
            if (edits[0]?.name === "products") await db.orders.create({ product_id: Number(edits[0].id) });
          },
        }),
      ],
    });
    await askAt(api.url, "PATCH /products/1", { body: { price: 1 } });
    await expect.poll(() => seen).toEqual([2, "changed products", "created orders"]);
    await api.close();
    expect(ended).toEqual(["listener"]);
  });
});

test("onChange hears of writes that a stop lets through", async () => {
  const seen: string[] = [];
  const onChange = ({ edits = [] }: DataChange): unknown => edits.map(({ name }) => seen.push(name));
  const api = await createStandin({ data: shop(), delay: 60_000, plugins: [{ name: "listener", onChange }] });
  const writing = askAt(api.url, "POST /orders", { body: { product_id: 1 } });
  // A second request that is refused before it is delayed comes behind the first.
  await askAt(api.url, "GET /orders?_delay=x");
  await api.close();
  expect([(await writing).status, seen]).toEqual([201, ["orders"]]);
});

describe("what cannot work stops the start, and is named", () => {
  const cases: [string, unknown, RegExp][] = [
    ["no object", 7, /must export an object by default/],
    ["no name", {}, /"name" must be a string/],
    ["an unknown part", { name: "a", route: {} }, /"route" is not a property of a plugin/],
    ["a step that is no function", { name: "a", step: 1 }, /"step" must be a function/],
    ["an unknown method", { name: "a", routes: { "GETT /a": () => 1 } }, /unknown method. Did you mean "?GET"?/],
    ["no path", { name: "a", routes: { GET: () => 1 } }, /must be a method and a path/],
    ["a path of ours", { name: "a", routes: { "GET /__reset": () => 1 } }, /is reserved for standin/],
    [
      "a path that begins with a variable",
      { name: "a", routes: { "GET /:page": () => 1 } },
      /the first one must be \/text/,
    ],
    ["a path with an escape", { name: "a", routes: { "GET /caf%C3%A9": () => 1 } }, /without percent-escapes/],
    ["an option that is none", { name: "a", options: { limit: null } }, /its option "limit" needs a "type"/],
    ["an option of an unknown type", { name: "a", options: { limit: { type: "number" } } }, /needs a "type", one of/],
    ["no handler", { name: "a", routes: { "GET /a": 1 } }, /must be a function/],
  ];
  for (const [name, plugin, message] of cases) {
    test(name, async () => {
      const folder = createFolder({ "plugin.cjs": `module.exports = ${source(plugin)};` });
      const starting = createStandin({ data: {}, plugins: [join(folder, "plugin.cjs")] });
      await expect(starting).rejects.toThrow(message);
      await expect(starting).rejects.toThrow("plugin.cjs");
    });
  }

  test("two plugins of one name", async () => {
    const starting = createStandin({ data: {}, plugins: [{ name: "a" }, { name: "a" }] });
    await expect(starting).rejects.toThrow('are both named "a"');
  });

  test("a missing file, an unknown option and a wrong value", async () => {
    await expect(createStandin({ data: {}, plugins: ["./none.js"] })).rejects.toThrow("there is no file ./none.js");
    const plugins = [dashboard];
    await expect(createStandin({ data: {}, plugins, pluginOptions: { dashboard: { limits: 1 } } })).rejects.toThrow(
      '"pluginOptions.dashboard.limits" is not an option of that plugin. Did you mean "limit"?',
    );
    await expect(createStandin({ data: {}, plugins, pluginOptions: { dashboard: { limit: 0 } } })).rejects.toThrow(
      '"pluginOptions.dashboard.limit": 0; it must be a whole number from 1',
    );
  });
});

describe("the command line", () => {
  const file = (text: string): string => `export default {
  name: "hello",
  routes: {
    "GET /hello/:name": ({ params }) => ({ text: "${text} " + params.name }),
    "GET /fails": () => {
      throw new Error("no luck");
    },
  },
};
`;

  test("--plugins takes a plain file; an error names the file and the line", async () => {
    const folder = createFolder({ "db.json": { things: [] }, "hello.mjs": file("Hello") });
    const served = await serveKept(["db.json", "--plugins", "./hello.mjs"], folder);
    expect((await askAt(served.url, "GET /hello/Ada")).body).toEqual({ text: "Hello Ada" });
    expect((await askAt(served.url, "GET /fails")).body).toMatchObject({
      message: "The plugin ./hello.mjs:6 failed: no luck",
    });
    expect(served.output.stdout).toContain("plugin hello from ./hello.mjs");
    await served.stop();
    expect(served.output.stderr).toContain("The plugin ./hello.mjs:6 failed.");
  });

  test("--watch reloads it; a version that cannot be used leaves the old one in place", async () => {
    const folder = createFolder({
      "db.json": { things: [] },
      "hello.mjs": file("Hello"),
      "standin.json": { plugins: ["hello.mjs"] },
    });
    const served = await serveKept(["db.json", "--watch"], folder);
    const greeting = async (): Promise<unknown> => (await askAt(served.url, "GET /hello/Ada")).body;
    expect(await greeting()).toEqual({ text: "Hello Ada" });
    writeFileSync(join(folder, "hello.mjs"), file("Goodbye"));
    await expect.poll(greeting).toEqual({ text: "Goodbye Ada" });
    writeFileSync(join(folder, "hello.mjs"), "export default {");
    await expect.poll(() => served.output.stderr + served.output.stdout).toContain("Kept the current version of");
    expect(await greeting()).toEqual({ text: "Goodbye Ada" });
    await served.stop();
  });

  test("an error that it throws outside of a request is told, and the server goes on", async () => {
    const folder = createFolder({
      "db.json": {},
      "my plugins/stray.mjs": `export default { name: "stray", routes: {
  "GET /timer": () => void setTimeout(() => { throw new Error("in a timer"); }),
  "GET /rejection": () => void Promise.reject(new Error("unhandled")),
} };`,
    });
    const served = await serveCli(["db.json", "--plugins", "./my plugins/stray.mjs"], folder);
    for (const path of ["timer", "rejection"]) expect((await askAt(served.url, `GET /${path}`)).status).toBe(204);
    await expect
      .poll(() => served.output.stderr)
      .toMatch(/The plugin \S+my plugins\/stray\.mjs failed outside of a request\.\nError: in a timer/);
    await expect.poll(() => served.output.stderr).toMatch(/stray\.mjs failed outside of a request\.\nError: unhandled/);
    expect((await askAt(served.url, "GET /db")).status).toBe(200);
    await served.stop();
  });

  test("a plugin that fails to open stops the start with file and line", async () => {
    const folder = createFolder({
      "db.json": {},
      "bad.cjs": 'module.exports = { name: "bad",\n  open() { throw new Error("no luck"); } };',
    });
    const run = runKept(["db.json", "--port", "0", "--plugins", "./bad.cjs"], folder);
    expect(await run.exit).toBe(1);
    expect(run.output.stderr).toContain("The plugin ./bad.cjs:2 failed to open: no luck");
  });
});

/** A value as source text, functions included. */
function source(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).map(([key, one]) => {
    return `${JSON.stringify(key)}: ${typeof one === "string" ? JSON.stringify(one) : source(one)}`;
  });
  return `{ ${members.join(", ")} }`;
}
