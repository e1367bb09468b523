/** A delay outlived its client, whose DELETE happened all the same; and it outlived the server, whose close it held up. */
import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/features/faults/types.ts";
import { createStandin } from "../../src/index.ts";
import { catalog } from "../support/catalog.ts";
import { openHostedWith } from "../support/hosted.ts";
import { startLayered } from "../support/layers.ts";
import { WatchedWaits } from "../support/watched-waits.ts";

/** Longer than any test may take. */
const FOREVER_MS = 10 * 60_000;
const LATENCY = { latency: { minMs: FOREVER_MS, maxMs: FOREVER_MS } };
const PASS = "test/fixtures/middlewares/pass.cjs";

interface Delayed {
  readonly middlewares?: string[];
  readonly delayMs?: number;
  readonly faults?: readonly Fault[];
  readonly query?: string;
}

const kinds: Readonly<Record<string, Delayed>> = {
  _delay: { query: `?_delay=${FOREVER_MS}` },
  delayMs: { delayMs: FOREVER_MS },
  "the latency layer": { middlewares: ["latency"] },
  "the latency layer before an interceptor": { middlewares: ["latency", PASS] },
  "_delay behind an interceptor": { middlewares: [PASS], query: `?_delay=${FOREVER_MS}` },
  "a latency fault": { faults: [{ fault: "latency", ms: FOREVER_MS }] },
  "_delay before a failure that comes after": {
    faults: [{ fault: "status", status: 503, after: true, method: "DELETE" }],
    query: `?_delay=${FOREVER_MS}`,
  },
};

function send(port: number, method: string, path: string): ClientRequest {
  const sent = request({ port, host: "127.0.0.1", method, path, agent: false });
  sent.on("error", () => {});
  sent.end();
  return sent;
}

describe("a client that leaves during the delay", () => {
  for (const [name, { middlewares = [], delayMs = 0, faults = [], query = "" }] of Object.entries(kinds)) {
    test(`${name}: ends it, and its DELETE does not happen`, async () => {
      const waits = new WatchedWaits();
      const settings = { delayMs };
      const api = await startLayered({ middlewares, layers: LATENCY, settings, rulesOfFaults: faults, waits });
      const sent = send(api.port, "DELETE", `/products/1${query}`);
      const ending = await waits.begun;
      sent.destroy();
      expect(await ending()).toBe("left");
      // From here on, no request has to wait.
      waits.stop();
      expect((await api.ask("GET /products/1")).status).toBe(200);
    });
  }
});

describe("a server that closes during the delay", () => {
  for (const [name, { middlewares = [], delayMs = 0, faults = [], query = "" }] of Object.entries(kinds)) {
    test(`${name}: carries the request out at once, and is not held up`, async () => {
      const api = await createStandin({
        data: catalog(),
        host: "127.0.0.1",
        middlewares,
        layers: middlewares.includes("latency") ? LATENCY : {},
        delay: delayMs,
        faults,
      });
      const sent = send(api.port, "GET", `/products/1${query}`);
      const [socket] = await once(sent, "socket");
      await once(socket, "connect");
      const [[response]] = await Promise.all([once(sent, "response"), api.close()]);
      expect([response.statusCode, response.headers.connection]).toEqual([200, "close"]);
      response.resume();
    });
  }

  test("hosted: the same", async () => {
    const hosted = await openHostedWith(["--delay", String(FOREVER_MS)]);
    const sent = send(hosted.port, "GET", "/nothing");
    const [socket] = await once(sent, "socket");
    await once(socket, "connect");
    const [[response]] = await Promise.all([once(sent, "response"), hosted.close()]);
    expect([response.statusCode, response.headers.connection]).toEqual([404, "close"]);
    response.resume();
  });
});
