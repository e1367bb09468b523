import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/base/json/json.ts";
import { checkCommand } from "../../../src/commands/check.ts";
import { doctorCommand } from "../../../src/commands/doctor.ts";
import { explainCommand } from "../../../src/commands/explain.ts";
import { exportCommand } from "../../../src/commands/export.ts";
import { importCommand } from "../../../src/commands/import.ts";
import { requestsCommand } from "../../../src/commands/requests.ts";
import { rulesCommand } from "../../../src/commands/rules.ts";
import { typesCommand } from "../../../src/commands/types.ts";
import { parseFlags } from "../../../src/config/flags.ts";
import { SERVE_OPTIONS } from "../../../src/config/options.ts";
import { createFolder } from "../../support/cli.ts";
import { json, ref, response } from "./documents.ts";
import { type Served, serve } from "./serve.ts";

const HAL = "application/hal+json";
const text = { type: "string" };
const problem = response(ref("Problem"), "application/problem+json");
const traced = { "X-Request-Id": { required: true, schema: { type: "string", format: "uuid" } } };

function query(name: string, schema: JsonObject = text): JsonObject {
  return { name, in: "query", schema };
}

/** A shop: cursors in both directions, headers, a media type of its own, lines below orders, and a status without data. */
const shop: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1.0.0" },
  paths: {
    "/orders": {
      get: {
        parameters: [query("limit", { type: "integer" }), query("starting_after"), query("ending_before")],
        responses: {
          200: {
            ...response(
              {
                type: "object",
                required: ["data"],
                properties: {
                  data: { type: "array", items: ref("Order") },
                  next_cursor: { ...text, nullable: true },
                  previous_cursor: { ...text, nullable: true },
                },
              },
              HAL,
            ),
            headers: {
              ...traced,
              "X-Total-Count": { required: true, schema: { type: "integer" } },
              "X-Regions": { required: true, schema: { type: "array", items: { enum: ["eu"] }, minItems: 1 } },
              "X-Hint": { schema: text },
              ETag: { required: true, schema: { enum: ["never"] } },
            },
          },
        },
      },
      post: {
        requestBody: { required: true, ...json(ref("Order"), HAL) },
        responses: {
          201: { ...response(ref("Order"), HAL), headers: { ...traced, Location: { required: true, schema: text } } },
          422: problem,
        },
      },
    },
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { responses: { 200: { ...response(ref("Order"), HAL), headers: traced }, 404: problem } },
      patch: {
        requestBody: json({ type: "object", properties: { total: { type: "number", minimum: 0 } } }, HAL),
        responses: { 200: response(ref("Order"), `${HAL}; profile="v2"`), "4XX": problem },
      },
      delete: { responses: { 204: { description: "Gone", headers: traced } } },
    },
    "/orders/{id}/lines": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: {
        parameters: [query("limit", { type: "integer", default: 2 }), query("after"), query("before")],
        responses: { 200: response({ type: "array", items: ref("Line") }, "application/json; version=2") },
      },
    },
    "/orders/{id}/lines/{lineId}": {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer" } },
        { name: "lineId", in: "path", required: true, schema: { type: "integer" } },
      ],
      get: { responses: { 200: response(ref("Line")) } },
    },
    "/status": {
      get: {
        parameters: [query("verbose", { type: "boolean" })],
        responses: {
          200: {
            description: "",
            content: {
              "application/json": { examples: { up: { value: { up: true } }, down: { value: { up: false } } } },
            },
          },
          503: { description: "", content: { "application/json": { example: { reason: "maintenance" } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: "object",
        required: ["id", "total"],
        properties: { id: { type: "integer", readOnly: true }, total: { type: "number", minimum: 0 } },
      },
      Line: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
      Problem: { type: "object", required: ["title"], properties: { title: text } },
    },
  },
};

const orders = [1, 2, 3, 4, 5, 6].map((id) => ({ id, total: id }));
const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, orderId: id % 2 === 0 ? 1 : 2 }));

async function serveShop(options: Parameters<typeof serve>[1] = {}): Promise<Served> {
  return serve(shop, { data: { orders, lines: [] }, ...options });
}

describe("a shop", () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveShop({ data: { orders, lines } });
  });

  const windows: readonly [string, number[]][] = [
    ["/orders?ending_before=4&limit=2", [2, 3]],
    ["/orders?ending_before=2&limit=2", [1]],
    ["/orders?ending_before=4", [1, 2, 3]],
    ["/orders?ending_before=1&limit=2", []],
    ["/orders?ending_before=unknown&limit=2", [1, 2]],
    ["/orders?ending_before=4&limit=2&_sort=-id", [6, 5]],
    ["/orders?starting_after=2&ending_before=5", [3, 4]],
    ["/orders?starting_after=1&ending_before=6&limit=2", [2, 3]],
    ["/orders?starting_after=4&limit=9", [5, 6]],
    ["/orders?starting_after=4", [5, 6]],
    ["/orders/1/lines?after=2&limit=1", [4]],
    ["/orders/1/lines?after=4", [6, 8]],
    ["/orders/1/lines?before=8", [4, 6]],
  ];
  test.each(windows)("GET %s lists %j", async (path, expected) => {
    const { body, status } = await served.ask(`GET ${path}`);
    expect(status).toBe(200);
    const records = Array.isArray(body) ? body : (body as { data: JsonObject[] }).data;
    expect(records.map(({ id }) => id)).toEqual(expected);
  });

  test("cursors of a list lead on and back", async () => {
    const idsAt = async (path: string) => {
      const { data, ...cursors } = (await served.ask(`GET ${path}`)).body as JsonObject & { data: JsonObject[] };
      return { ids: data.map(({ id }) => id), ...cursors } as { ids: number[]; next_cursor: string } & JsonObject;
    };
    const first = await idsAt("/orders?limit=2");
    const second = await idsAt(`/orders?limit=2&starting_after=${first.next_cursor}`);
    expect(second.ids).toEqual([3, 4]);
    const back = await idsAt(`/orders?limit=2&ending_before=${String(second.previous_cursor)}`);
    expect(back).toEqual(first);
  });

  test("declared media types are sent and accepted, with their parameters", async () => {
    const headers = { "content-type": HAL };
    const created = await served.ask("POST /orders", { headers, body: { total: 7 } });
    const typeOf = ({ headers: sent }: typeof created): string | null => sent.get("content-type");
    expect([created.status, typeOf(created)]).toEqual([201, HAL]);
    expect(typeOf(await served.ask("GET /orders/7"))).toBe(HAL);
    const patched = await served.ask("PATCH /orders/7", { headers, body: { total: 8 } });
    expect([patched.body, typeOf(patched)]).toEqual([{ id: 7, total: 8 }, `${HAL}; profile="v2"`]);
    expect(typeOf(await served.ask("GET /orders/1/lines"))).toBe("application/json; version=2");
    expect(typeOf(await served.ask("GET /orders/99"))).toBe("application/problem+json");
    await served.ask("DELETE /orders/7");
  });

  test("required headers are sent: those that standin knows as they are, others from their schemas", async () => {
    const listed = await served.ask("GET /orders?limit=2");
    expect(listed.headers.get("x-total-count")).toBe("6");
    expect(listed.headers.get("x-regions")).toMatch(/^eu(,eu)*$/);
    expect(listed.headers.has("x-hint")).toBe(false);
    expect(listed.headers.get("etag")).toMatch(/^W\//);
    const created = await served.ask("POST /orders", { headers: { "content-type": HAL }, body: { total: 7 } });
    expect(created.headers.get("location")).toBe(`${served.standin.url}/orders/7`);
    const removed = await served.ask("DELETE /orders/7");
    for (const { headers } of [listed, created, removed, await served.ask("GET /orders/1")]) {
      expect(headers.get("x-request-id")).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    }
    const { headers } = await served.ask("GET /orders/1", { headers: { origin: "http://localhost:5173" } });
    expect(headers.get("access-control-expose-headers")).toMatch(/X-Request-Id/i);
  });

  test("/llms.txt names the document, and its requests work", async () => {
    const own = { "X-Standin-Routes": "own" };
    const { text: guide } = await served.ask("GET /llms.txt");
    expect(guide).toMatch(/OpenAPI document.*`X-Standin-Routes: own`/);
    for (const [, path = ""] of guide.matchAll(/^- GET (\/(?!__)[^\s:]+)/gm)) {
      expect([path, (await served.ask(`GET ${path}`, { headers: own })).status]).toEqual([path, 200]);
    }
  });

  const preferences: readonly [string, string, number, unknown][] = [
    ["GET /status", "code=503", 503, { reason: "maintenance" }],
    ["GET /status", "example=down", 200, { up: false }],
    ["GET /orders/1", "code=404", 404, { title: expect.any(String) }],
    ["DELETE /orders/1", "code=204", 204, undefined],
    ["PATCH /orders/1", "code=418", 418, { title: expect.any(String) }],
    ["GET /status", "code=404", 404, { code: "FAULT_ON_DEMAND" }],
    ["GET /db", "code=503", 503, { code: "FAULT_ON_DEMAND" }],
    ["GET /status", "code=many", 400, { code: "FAULT_INVALID" }],
  ];
  test.each(preferences)("%s with Prefer: %s is %i", async (line, Prefer, status, body) => {
    const sent = await served.ask(line, { headers: { Prefer } });
    expect(sent.status).toBe(status);
    if (body === undefined) expect(sent.body).toBeUndefined();
    else expect(sent.body).toMatchObject(body as object);
    if (status !== 400) expect(sent.headers.get("preference-applied")).toBe(Prefer);
    expect((await served.ask("GET /orders/1")).body).toEqual(orders[0]);
  });
});

test("with validate: warn, the response has a Warning, whether it is a record or an error", async () => {
  const { ask } = await serveShop({ validate: "warn" });
  const headers = { "content-type": HAL };
  const cases: readonly [string, number, RegExp, unknown?][] = [
    ["GET /orders?limit=many", 400, /\/query\/limit/],
    ["POST /orders", 201, /\/body\/total/, { total: -1 }],
    ["PATCH /orders/99", 404, /\/body\/total/, { total: -1 }],
    ["GET /status?verbose=maybe", 200, /\/query\/verbose/],
  ];
  for (const [line, status, warning, body] of cases) {
    const sent = await ask(line, body === undefined ? {} : { headers, body });
    expect([line, sent.status, sent.headers.get("warning")]).toEqual([line, status, expect.stringMatching(warning)]);
  }
  expect((await ask("GET /orders/1")).headers.has("warning")).toBe(false);
});

test("errors have the document's form behind interceptors, too", async () => {
  const interceptor = join(createFolder({ "pass.cjs": "module.exports = (req, res, next) => next();" }), "pass.cjs");
  const { ask } = await serveShop({ middlewares: [interceptor] });
  const { status, headers, body } = await ask("GET /orders/99");
  expect([status, headers.get("x-standin-code"), body]).toEqual([
    404,
    "RECORD_NOT_FOUND",
    { title: expect.any(String) },
  ]);
  expect(headers.get("content-type")).toMatch(/^application\/problem\+json/);
  expect((await ask("GET /orders/1")).headers.get("content-type")).toMatch(/^application\/hal\+json/);
});

test("generated records are the same for the same seed, and others for another", async () => {
  const recordsOf = async (seed: number): Promise<string> => {
    const { ask } = await serve(shop, { seed });
    return (await ask("GET /db")).text;
  };
  const first = await recordsOf(1);
  expect(await recordsOf(1)).toBe(first);
  expect(await recordsOf(2)).not.toBe(first);
});

test("--validate alone means on, and leaves the document to be the source", () => {
  const { values, positionals } = parseFlags(["--validate", "api.yaml"], SERVE_OPTIONS);
  expect([values.validate, positionals]).toEqual(["on", ["api.yaml"]]);
});

describe("commands that read data, given a document", () => {
  const folder = createFolder({ "api.json": shop, "rules.json": {} });
  const file = join(folder, "api.json");
  const given = ["--rules", join(folder, "rules.json")];
  const commands: readonly [string, () => Promise<void>][] = [
    ["types", () => typesCommand.run([file])],
    ["requests", () => requestsCommand.run([file])],
    ["rules", () => rulesCommand.run([file])],
    ["check", () => checkCommand.run([file])],
    ["check --rules", () => checkCommand.run([file, ...given])],
    ["explain", () => explainCommand.run(["orders", file])],
    ["import", () => importCommand.run([file, "postgres://localhost:1/none"])],
    ["export", () => exportCommand.run([file, join(folder, "db.json")])],
    ["doctor", () => doctorCommand.run([file])],
  ];
  test.each(commands)("standin %s says so, and what to do", async (_name, command) => {
    await expect(command()).rejects.toThrow(/api\.json is an OpenAPI document, not .*standin \S*api\.json/s);
  });
});
