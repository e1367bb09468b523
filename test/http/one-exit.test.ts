import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { startLayered } from "../support/layers.ts";
import { exchangeBytes } from "../support/raw.ts";

/** Responses that used to have ways out of their own. */

const ORIGIN = "http://shop.test";

async function recorded(api: Api): Promise<{ url: string; status: number; answeredBy: string }[]> {
  const { body } = await api.ask("GET /__requests");
  return (body as { requests: { url: string; status: number; answeredBy: string }[] }).requests;
}

function staticFolder(): string {
  const folder = join(createFolder({}), "public");
  mkdirSync(folder);
  writeFileSync(join(folder, "app.js"), "app");
  return folder;
}

test("a range that a static file does not have -> 416 with the common headers, in the traffic log", async () => {
  const api = await startApi({ static: staticFolder() });
  const { status, headers, body } = await api.ask("GET /app.js", { headers: { range: "bytes=9-", origin: ORIGIN } });
  expect([status, body]).toMatchObject([416, { code: "RANGE_INVALID" }]);
  expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(await recorded(api)).toMatchObject([{ url: "/app.js", status: 416 }]);
});

test("HTTP/1.1 without a Host -> 400 with the common headers, and the end of the connection", async () => {
  const api = await startApi();
  const response = await exchangeBytes(api.port, `GET /products HTTP/1.1\r\nOrigin: ${ORIGIN}\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain(`Access-Control-Allow-Origin: ${ORIGIN}\r\n`);
  expect(response).toContain("Connection: close\r\n");
  expect(await recorded(api)).toMatchObject([{ url: "/products", status: 400 }]);
});

test("a login of the signed-token layer -> the headers of every JSON response", async () => {
  const users = [{ id: "1", email: "a@shop.test", password: "secret" }];
  const api = await startLayered({
    middlewares: ["signed-token"],
    layers: { "signed-token": { secret: "s".repeat(32), users } },
  });
  const credentials = { email: "a@shop.test", password: "secret" };
  const { status, headers } = await api.ask("POST /login", { body: credentials, headers: { origin: ORIGIN } });
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("static files and preflights are in the traffic log under their names", async () => {
  const api = await startApi({ static: staticFolder() });
  await api.ask("GET /app.js");
  await api.ask("OPTIONS /products", { headers: { origin: ORIGIN } });
  expect(await recorded(api)).toMatchObject([
    { url: "/app.js", status: 200, answeredBy: "static" },
    { url: "/products", status: 204, answeredBy: "cors" },
  ]);
});
