import { describe, expect, test } from "vitest";
import { codeOf, startApi } from "../support/api.ts";

describe("singletons", () => {
  const start = () => startApi({ data: { profile: { name: "shop", id: 7, open: true }, products: [] } });

  const cases: [line: string, body: unknown, status: number, after: unknown][] = [
    ["GET /profile", undefined, 200, { name: "shop", id: 7, open: true }],
    ["GET /profile/", undefined, 200, { name: "shop", id: 7, open: true }],
    ["PUT /profile", { name: "x" }, 200, { name: "x" }],
    ["PATCH /profile", { name: "x" }, 200, { name: "x", id: 7, open: true }],
    ["PATCH /profile", { id: true }, 200, { name: "shop", id: true, open: true }],
    ["POST /profile", { name: "x" }, 201, { name: "x" }],
    ["PUT /profile", undefined, 200, {}],
  ];
  for (const [line, body, status, after] of cases) {
    test(`${line} ${body ? JSON.stringify(body) : ""} -> ${status} ${JSON.stringify(after)}`, async () => {
      const api = await start();
      const answer = await api.ask(line, { body });
      expect([answer.status, answer.body]).toEqual([status, after]);
      expect((await api.ask("GET /profile")).body).toEqual(after);
    });
  }

  test("POST /profile -> Location is its own address", async () => {
    const api = await start();
    const { headers } = await api.ask("POST /profile", { body: {} });
    expect(headers.get("location")).toBe(`${api.url}/profile`);
  });

  for (const body of ["[]", "[{}]", "5", "null", '"x"']) {
    test(`PUT /profile ${body} -> 400 BODY_NOT_OBJECT`, async () => {
      const api = await start();
      const answer = await api.ask("PUT /profile", { body });
      expect([answer.status, codeOf(answer)]).toEqual([400, "BODY_NOT_OBJECT"]);
    });
  }

  test("PUT /profile with an outdated If-Match -> 412, nothing changed", async () => {
    const api = await start();
    const etag = (await api.ask("GET /profile")).headers.get("etag")!;
    expect((await api.ask("PATCH /profile", { body: { open: false }, headers: { "If-Match": etag } })).status).toBe(
      200,
    );
    const answer = await api.ask("PUT /profile", { body: {}, headers: { "If-Match": etag } });
    expect([answer.status, codeOf(answer)]).toEqual([412, "RECORD_CHANGED"]);
    expect((await api.ask("GET /profile")).body).toEqual({ name: "shop", id: 7, open: false });
  });
});
