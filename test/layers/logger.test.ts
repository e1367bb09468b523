import { describe, expect, test } from "vitest";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept, serveQuietly } from "../support/kept-process.ts";
import { startLayered } from "../support/layers.ts";

const LINES = ["GET /products/1", "POST /products", "GET /nowhere?x=1", "DELETE /products/1"];

describe("the lines of the request log", () => {
  for (const middlewares of [[], ["logger"], ["logger", "logger"]]) {
    test(`middlewares [${middlewares.join(", ")}]: one line for each request`, async () => {
      const api = await startLayered({ middlewares });
      for (const line of LINES) await api.ask(line);
      expect(api.requests.map(({ method, url, status }) => `${method} ${url} ${status}`)).toEqual([
        "GET /products/1 200",
        "POST /products 201",
        "GET /nowhere?x=1 404",
        "DELETE /products/1 200",
      ]);
    });
  }

  test("preflights that the built-in handling responds to are not logged, as in 0.17; those of the cors layer are", async () => {
    const builtIn = await startLayered({ middlewares: ["logger"] });
    await builtIn.ask("OPTIONS /products");
    expect(builtIn.requests).toEqual([]);
    const layer = await startLayered({ middlewares: ["logger", "cors"] });
    await layer.ask("OPTIONS /products");
    expect(layer.requests).toMatchObject([{ method: "OPTIONS", status: 200 }]);
  });

  test("changes nothing about a response", async () => {
    const [with_, without] = [await startLayered({ middlewares: ["logger"] }), await startLayered({ middlewares: [] })];
    const [one, other] = [await with_.ask("GET /products/1"), await without.ask("GET /products/1")];
    const names = (headers: Headers): string[] => [...headers.keys()].sort();
    expect([one.status, one.body, names(one.headers)]).toEqual([other.status, other.body, names(other.headers)]);
  });

  test("what a guard refuses is logged, with the address as it was sent", async () => {
    const layers = { bearer: { token: "the-one-fixed-token" } };
    const api = await startLayered({ middlewares: ["logger", "bearer"], layers, rules: { "/v1/*": "/$1" } });
    await api.ask("GET /v1/products?a=b");
    expect(api.requests).toMatchObject([{ method: "GET", url: "/v1/products?a=b", status: 401 }]);
  });
});

describe("on the command line", () => {
  test("method, address, status, milliseconds and bytes", async () => {
    const folder = createFolder({ "db.json": catalog(), "standin.json": { middlewares: ["logger"] } });
    const served = await serveKept(["db.json"], folder);
    await (await fetch(`${served.url}/products/1`)).text();
    await served.stop();
    expect(served.output.stdout.match(/^.* GET .*/gm)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \/products\/1 200 \d+\.\d{3} ms - \d+$/),
    ]);
  });

  test("quiet wins", async () => {
    const folder = createFolder({ "db.json": catalog(), "standin.json": { middlewares: ["logger"] } });
    const served = await serveQuietly(["db.json"], folder);
    await (await fetch(`${served.url}/products/1`)).text();
    await served.stop();
    expect(served.output).toEqual({ stdout: `${served.url}\n`, stderr: "" });
  });
});
