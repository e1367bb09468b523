import { connect } from "node:net";
import express from "express";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readAllowedHosts } from "../../src/http/own-routes.ts";
import { createStandin, type StandinOptions } from "../../src/index.ts";
import { rewriter, router } from "../../src/json-server/module.ts";
import { startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { startHosted } from "../support/hosted.ts";
import { startLayered } from "../support/layers.ts";
import { askRaw, exchangeBytes, parseAnswer } from "../support/raw.ts";

const EVIL = "Host: evil.example";
const RULES = { "/admin/*": "/__$1", "/wipe": "/__reset", "/catalog": "/products" };

/** The status of a request, and the code of a refusal. */
async function outcomeOf(
  port: number,
  line: string,
  headers: readonly string[],
): Promise<[number, string | undefined]> {
  const { status, body } = await askRaw(port, line, headers);
  return [status, /"code":"(\w+)"/.exec(body)?.[1]];
}

function openApi(options: Partial<StandinOptions> = {}) {
  return createStandin({ data: catalog(), routes: RULES, ...options } as StandinOptions);
}

describe("under a foreign host name", () => {
  let port = 0;
  beforeAll(async () => {
    const api = await openApi();
    port = api.port;
    return () => api.close();
  });

  const refused = [
    "GET /__overview",
    "GET /__console",
    "GET /__console/",
    "GET /__console/assets/x.js",
    "GET /__docs",
    "GET /__openapi.json",
    "GET /__requests",
    "GET /__changes",
    "GET /__events",
    "GET /__rules",
    "GET /__snapshots__",
    "POST /__snapshots__",
    "PUT /__snapshots__/x",
    "GET /__snapshots__/x/comparison",
    "GET /__sandboxes",
    "POST /__sandboxes/a/reset",
    "GET /__faults",
    "POST /__reset",
    "POST /__rewrite",
    "GET /__nothing",
    "GET /__",
    "GET /__sandbox",
    "HEAD /__overview",
    "OPTIONS /__reset",
    "GET /__overview/",
    "GET /__overview?x=/products",
    "GET /%5F%5Foverview",
    "GET /_%5foverview",
    "POST /%5f%5freset",
    "GET /__overvie%77",
    "GET http://localhost/__overview",
    "POST /wipe",
    "GET /admin/overview",
    "GET /admin/console",
    "GET /__sandbox/a/__overview",
    "POST /__sandbox/a/__reset",
    "POST /__sandbox/a/%5F%5Freset",
    "GET /__sandbox/a/admin/overview",
    "GET /__sandbox/a/__sandbox/b/products",
    "POST /__sandbox//__reset",
  ];
  for (const line of refused) {
    test(`${line} -> 403 HOST_FORBIDDEN`, async () => {
      const { status, body } = await askRaw(port, line, [EVIL, "Content-Length: 0"]);
      expect(status).toBe(403);
      if (!line.startsWith("HEAD")) expect(JSON.parse(body)).toMatchObject({ code: "HOST_FORBIDDEN" });
    });
  }

  test("the message says what to change", async () => {
    const { body } = await askRaw(port, "GET /__overview", ["Host: Shop.test:3000"]);
    const { message } = JSON.parse(body) as { message: string };
    expect(message).toContain('"Shop.test:3000"');
    expect(message).toContain("--allowedHosts shop.test");
    expect(message).toContain('"allowedHosts" in the config file');
  });

  const open = [
    "GET /",
    "GET /products/1",
    "GET /products?_embed=companies",
    "GET /db",
    "GET /health-check",
    "GET /stats",
    "GET /catalog",
    "GET /companies/1/products",
    "GET /__sandbox/a/products",
    "GET /__sandbox/a/",
    "GET /__sandbox/a/catalog",
  ];
  for (const line of open) {
    test(`${line} is data, and stays open`, async () => {
      expect((await askRaw(port, line, [EVIL])).status).toBe(200);
    });
  }

  test("POST, PATCH and DELETE of data stay open", async () => {
    const json = [EVIL, "Content-Type: application/json", "Content-Length: 2"];
    expect((await askRaw(port, "POST /__sandbox/b/products", json, "{}")).status).toBe(201);
    expect((await askRaw(port, "DELETE /__sandbox/b/products/1", [EVIL])).status).toBe(200);
  });
});

describe("which hosts are this server's", () => {
  const hosts: [host: string, isOwn: boolean][] = [
    ["localhost", true],
    ["localhost:3000", true],
    ["localhost:", true],
    ["LOCALHOST:3000", true],
    ["localhost.", true],
    ["shop.localhost", true],
    ["127.0.0.1", true],
    ["127.0.0.1:3000", true],
    ["192.168.1.20:3000", true],
    ["0.0.0.0:3000", true],
    ["[::1]", true],
    ["[::1]:3000", true],
    ["[::ffff:127.0.0.1]:3000", true],
    ["[fe80::1%25eth0]:3000", true],
    ["shop.test", true],
    ["SHOP.test:8080", true],
    ["shop.test.", true],
    ["standin", true],
    ["mock-1", true],
    ["", false],
    ["evil.example", false],
    ["evil.example:3000", false],
    ["localhost.evil.example", false],
    ["evillocalhost", false],
    ["shop.test.evil.example", false],
    ["evil.shop.test", false],
    ["127.0.0.1.evil.example", false],
    ["127.0.0.1.nip.io", false],
    ["127.0.0.256", false],
    ["localhost@evil.example", false],
    ["evil.example:80:localhost", false],
    ["evil.example#localhost", false],
    ["[localhost]evil.example", false],
    ["localhost..", false],
    ["..", false],
    ["::1", false],
    [`${"a".repeat(8000)}.example`, false],
  ];
  test(`${hosts.length} of them, with shop.test, standin and mock-1 allowed`, async () => {
    const api = await openApi({ allowedHosts: ["Shop.Test.", "standin, mock-1"] });
    onTestFinished(() => api.close());
    for (const [host, isOwn] of hosts) {
      const expected = isOwn ? [200, undefined] : [403, "HOST_FORBIDDEN"];
      expect(await outcomeOf(api.port, "GET /__rules", [`Host: ${host}`]), host).toEqual(expected);
    }
  });

  test("the host to listen on is one of them", async () => {
    const settings = { allowedHosts: readAllowedHosts("DevBox") };
    const api = await startLayered({ middlewares: [], settings });
    expect(await outcomeOf(api.port, "GET /__rules", ["Host: devbox:3000"])).toEqual([200, undefined]);
  });

  test("HTTP/1.0 without a Host header is not a browser, and is accepted", async () => {
    const { port } = await startApi();
    const answer = parseAnswer(await exchangeBytes(port, "GET /__rules HTTP/1.0\r\n\r\n"));
    expect(answer.status).toBe(200);
  });

  test("HTTP/1.0 with a foreign one is refused", async () => {
    const { port } = await startApi();
    const answer = parseAnswer(await exchangeBytes(port, `GET /__rules HTTP/1.0\r\n${EVIL}\r\n\r\n`));
    expect(answer.status).toBe(403);
  });

  const wrong = ["http://shop.test", "shop.test:3000", "shop.test/x", "*", "", "a b", "-.-:"];
  for (const name of wrong) {
    test(`"${name}" in allowedHosts stops the start`, async () => {
      await expect(openApi({ allowedHosts: [name] })).rejects.toThrow(/"allowedHosts".*is not a host name/);
    });
  }
});

describe("behind a proxy", () => {
  const cases: [headers: string[], trustProxy: boolean, status: number][] = [
    [["Host: localhost", "X-Forwarded-Host: evil.example"], false, 200],
    [["Host: localhost", "X-Forwarded-Host: evil.example"], true, 403],
    [["Host: localhost", "X-Forwarded-Host: localhost, evil.example"], true, 403],
    [["Host: localhost", "X-Forwarded-Host: localhost", "X-Forwarded-Host: evil.example"], true, 403],
    [["Host: 10.0.0.1:3000", "X-Forwarded-Host: shop.test"], true, 200],
    [["Host: evil.example", "X-Forwarded-Host: localhost"], true, 403],
    [["Host: evil.example", "X-Forwarded-Host: localhost"], false, 403],
    [["Host: localhost", "X-Forwarded-Host:"], true, 200],
  ];
  for (const [headers, trustProxy, status] of cases) {
    test(`${headers.join(" + ")}${trustProxy ? " with trustProxy" : ""} -> ${status}`, async () => {
      const { port } = await startApi({ trustProxy, allowedHosts: ["shop.test"] });
      expect((await askRaw(port, "GET /__rules", headers)).status).toBe(status);
    });
  }
});

describe("with anything in front", () => {
  test("a guard: the host is judged first, and a key does not help", async () => {
    const layers = { "api-key": { keys: ["my-key-0123456789"] } };
    const { port } = await startLayered({ middlewares: ["api-key"], layers });
    expect(await outcomeOf(port, "GET /__rules", [EVIL])).toEqual([403, "HOST_FORBIDDEN"]);
    expect(await outcomeOf(port, "GET /__rules", [EVIL, "X-API-KEY: my-key-0123456789"])).toEqual([
      403,
      "HOST_FORBIDDEN",
    ]);
    expect(await outcomeOf(port, "GET /products", [EVIL])).toEqual([401, "API_KEY_MISSING"]);
  });

  test("an interceptor that leads a request there", async () => {
    const lead = (req: { url: string }, _res: unknown, next: () => void): void => {
      if (req.url === "/innocent") req.url = "/__overview";
      next();
    };
    const { port } = await startApi({ middlewares: [lead as never] });
    expect(await outcomeOf(port, "GET /innocent", [EVIL])).toEqual([403, "HOST_FORBIDDEN"]);
    expect((await askRaw(port, "GET /innocent")).status).toBe(200);
  });

  test("a refused upload does not keep the connection busy", async () => {
    const { port } = await startApi();
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`POST /__sandboxes HTTP/1.1\r\n${EVIL}\r\nContent-Length: 1000000\r\n\r\n{`);
    const answer = await new Promise<string>((resolve) => socket.once("data", (piece) => resolve(String(piece))));
    expect(answer).toContain("403");
  });
});

test("json-server's module API: the same, with its own option", async () => {
  const app = express();
  app.use("/open", router({ products: [] }, { allowedHosts: ["shop.test"] }));
  app.use(router({ products: [] }));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  expect((await askRaw(port, "POST /__faults", ["Host: shop.test", "Content-Length: 0"])).status).toBe(403);
  expect((await askRaw(port, "GET /__rules", ["Host: shop.test"])).status).toBe(403);
  expect((await askRaw(port, "GET /__rules")).status).toBe(200);
  expect((await askRaw(port, "GET /open/__rules", ["Host: shop.test"])).status).toBe(200);
  expect((await askRaw(port, "GET /products", ["Host: shop.test"])).status).toBe(200);
});

test("json-server's module API: the rules that a rewriter shows, too", async () => {
  const app = express();
  app.use("/open", rewriter(RULES, { allowedHosts: ["shop.test"] }));
  app.use(rewriter(RULES));
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  expect(await outcomeOf(port, "GET /__rules", [EVIL])).toEqual([403, "HOST_FORBIDDEN"]);
  expect(await outcomeOf(port, "GET /__rules", ["Host: shop.test"])).toEqual([403, "HOST_FORBIDDEN"]);
  expect((await askRaw(port, "GET /__rules")).status).toBe(200);
  expect((await askRaw(port, "GET /open/__rules", ["Host: shop.test"])).status).toBe(200);
});

test("hosted mode: its own routes, too, while any host gets examples", async () => {
  const { port } = await startHosted();
  expect(await outcomeOf(port, "GET /__overview", [EVIL])).toEqual([403, "HOST_FORBIDDEN"]);
  expect((await askRaw(port, "GET /__overview")).status).toBe(200);
  expect(await outcomeOf(port, "GET /no-such-example", [EVIL])).toEqual([404, "EXAMPLE_NOT_FOUND"]);
});
