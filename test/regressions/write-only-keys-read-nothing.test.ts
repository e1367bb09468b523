import { describe, expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { startLayered } from "../support/layers.ts";

const WRITER = { "X-API-KEY": "writer-0123456789" };
const BOTH = { "X-API-KEY": "both-01234567890" };
const keys = ["both-01234567890", { key: "writer-0123456789", permissions: ["write"] }];
const layers = { "api-key": { keys, publicRoutes: [] } };
const data = () => ({ items: [{ id: 1, name: "Closed", n: 1 }], profile: { name: "Closed" } });
const start = () => startLayered({ middlewares: ["api-key"], layers, data: data() });

type Request = [line: string, body: unknown, prefer?: string];
const refused: Request[] = [
  ["DELETE /items?_all=true", undefined, "tx=rollback, return=representation"],
  ["DELETE /items?_all=true", undefined, "return=representation"],
  ["PATCH /items?_all=true", {}, "return=representation"],
  ["PATCH /items?name_like=C", {}, "tx=rollback"],
  ["DELETE /items?name_like=C", undefined, "TX=Rollback"],
  ["PATCH /items/1", {}, "tx=rollback"],
  ["PUT /items/1", {}, "tx=rollback"],
  ["DELETE /items/1", undefined, "tx=rollback"],
  ["POST /items", {}, "tx=rollback"],
  ["PATCH /profile", {}, "tx=rollback"],
  ["POST /__batch", { requests: [{ method: "PATCH", path: "/items/1", body: {} }] }, "tx=rollback"],
  [
    "POST /__batch",
    {
      requests: [{ method: "DELETE", path: "/items?_all=true", headers: { Prefer: "return=representation" } }],
    },
  ],
  ["POST /__batch", { requests: [{ method: "GET", path: "/items/1" }] }],
];

describe("a key that may only write", () => {
  for (const [line, body, prefer] of refused) {
    test(`${line}${prefer ? ` with Prefer: ${prefer}` : ""} -> 403 FORBIDDEN_READ`, async () => {
      const api = await start();
      const headers = { ...WRITER, ...(prefer && { Prefer: prefer }) };
      const { status, text } = await api.ask(line, { headers, body });
      expect([status, text]).toEqual([403, expect.stringContaining("FORBIDDEN_READ")]);
      expect(text).not.toContain("Closed");
      expect((await api.ask("GET /db", { headers: BOTH })).body).toEqual(data());
    });
  }

  test("gets nothing back that it has not sent", async () => {
    const api = await start();
    const shown: Request[] = [
      ["PATCH /items/1", {}],
      ["PATCH /profile", {}],
      ["PATCH /items?_all=true", { n: 2 }],
      ["POST /items", { id: 1 }, "resolution=merge-duplicates"],
      ["POST /items", { id: 1 }, "resolution=ignore-duplicates"],
      ["POST /__batch", { requests: [{ method: "PATCH", path: "/items/1", body: {} }] }],
      ["DELETE /items/1", undefined],
    ];
    for (const [line, body, prefer] of shown) {
      const { status, text } = await api.ask(line, { headers: { ...WRITER, ...(prefer && { Prefer: prefer }) }, body });
      expect([line, status]).toEqual([line, 200]);
      expect(text, line).not.toContain("Closed");
    }
  });

  test("gets no record back from a DELETE in the dialect of json-server 1.0", async () => {
    const api = await createStandin({ data: data(), dialect: "json-server-1", middlewares: ["api-key"], layers });
    onTestFinished(() => api.close());
    const { status, text } = await askAt(api.url, "DELETE /items/1", { headers: WRITER });
    expect([status, text]).toEqual([200, "{}"]);
  });

  test("gets back what it has sent, and others get what they got", async () => {
    const api = await start();
    expect((await api.ask("POST /items", { headers: WRITER, body: { name: "New" } })).body).toEqual({
      name: "New",
      id: 2,
    });
    expect((await api.ask("PUT /items/1", { headers: WRITER, body: { name: "New" } })).body).toEqual({
      name: "New",
      id: 1,
    });
    expect((await api.ask("PATCH /items/1", { headers: BOTH, body: { n: 3 } })).body).toMatchObject({ name: "New" });
  });
});
