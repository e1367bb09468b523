/** A stop closed kept connections under requests that were on their way: half of the clients got ECONNRESET. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { Server as NetServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { quietMs } from "../../src/http/node/stop.ts";
import { createStandin } from "../../src/index.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, serveCli } from "../support/cli.ts";
import { serveHosted } from "../support/hosted.ts";
import { testAtLength } from "../support/soak.ts";

const CLIENTS = 80;

interface Load {
  /** Requests that were answered. */
  answered: number;
  /** Records that were created, as far as clients know. */
  created: number;
  /** Clients that were told to let go of their connection. */
  letGo: number;
  /** The errors of requests on existing connections. */
  readonly failures: string[];
}

/** Clients that use one connection each, without a pause, until they are told to let go of it. */
function startLoad(
  url: string,
  requests: readonly string[],
): { load: Load; isBusy: Promise<void>; done: Promise<unknown> } {
  const load: Load = { answered: 0, created: 0, letGo: 0, failures: [] };
  let tellBusy = (): void => {};
  const isBusy = new Promise<void>((resolve) => {
    tellBusy = resolve;
  });
  const connected = new Set<number>();
  const { hostname, port } = new URL(url);
  const client = async (number: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let turn = number; ; turn++) {
      const [method, path] = requests[turn % requests.length]!.split(" ");
      const sent = request({ hostname, port, method, path, agent, headers: { "content-type": "application/json" } });
      sent.end(method === "POST" ? '{"name":"Hat"}' : undefined);
      try {
        const [response] = await once(sent, "response");
        await once(response.resume(), "end");
        load.answered++;
        if (response.statusCode === 201) load.created++;
        connected.add(number);
        // One that has yet to connect may find the door closed, and rightly so.
        if (load.answered >= CLIENTS * 3 && connected.size === CLIENTS) tellBusy();
        if (response.headers.connection !== "close") continue;
        load.letGo++;
      } catch (thrown) {
        load.failures.push(String(thrown));
      }
      return;
    }
  };
  return { load, isBusy, done: Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number))) };
}

const DATA = [
  "GET /products/1",
  "POST /products",
  "GET /products?_delay=5",
  "GET /products",
  "POST /products?_delay=20",
];

describe("a stop under load responds to every request that arrived, and resets no connection", () => {
  test("by SIGTERM, of a data file: what was acknowledged is in it", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const served = await serveCli(["db.json"], folder);
    const { load, isBusy, done } = startLoad(served.url, DATA);
    await isBusy;
    const [code] = await Promise.all([served.stop(), done]);
    expect(load).toMatchObject({ letGo: CLIENTS, failures: [] });
    expect(code).toBe(0);
    const { products } = JSON.parse(readFileSync(join(folder, "db.json"), "utf8")) as { products: unknown[] };
    expect(products).toHaveLength(catalog().products.length + load.created);
  });

  testAtLength("by SIGTERM, of examples", async () => {
    const served = await serveHosted(["--delay", "5"], createFolder());
    const { load, isBusy, done } = startLoad(served.url, ["GET /products", "GET /products/1", "GET /nowhere"]);
    await isBusy;
    const [code] = await Promise.all([served.stop(), done]);
    expect(load).toMatchObject({ letGo: CLIENTS, failures: [] });
    expect(code).toBe(0);
  });

  testAtLength("by close() of a program", async () => {
    const api = await createStandin({ data: catalog() });
    const { load, isBusy, done } = startLoad(api.url, DATA);
    await isBusy;
    await Promise.all([api.close(), done]);
    expect(load).toMatchObject({ letGo: CLIENTS, failures: [] });
  });
});

/** A client with one connection, which it keeps. */
function createClient(port: number): (path: string) => Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (path) => {
    const sent = request({ host: "127.0.0.1", port, path, agent }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    return response;
  };
}

test("clients that share the processors with many others get more time to let go, within bounds", () => {
  const each = availableParallelism();
  expect([0, each, each * 8, each * 99].map((load) => quietMs("process", [load]))).toEqual([100, 100, 400, 500]);
  expect(quietMs("program", [each * 8])).toBe(20);
});

test("a stream that is asked for while the server stops does not hold it up", async () => {
  const api = await createStandin({ data: catalog(), host: "127.0.0.1" });
  const ask = createClient(api.port);
  await ask("/products/1");
  const closing = api.close();
  const [stream] = await Promise.all([ask("/__events"), closing]);
  expect([stream.statusCode, stream.headers.connection]).toEqual([200, "close"]);
});

test("in Bun, where an HTTP server that stops listening closes idle connections, it listens a little longer", async () => {
  const api = await createStandin({ data: catalog(), host: "127.0.0.1" });
  const ask = createClient(api.port);
  await ask("/products/1");
  // There, it is no net.Server.
  Object.defineProperty(NetServer, Symbol.hasInstance, { value: () => false, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(NetServer, Symbol.hasInstance));
  const closing = api.close();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  const [last] = await Promise.all([ask("/products/1"), closing]);
  expect([last.statusCode, last.headers.connection]).toEqual([200, "close"]);
});
