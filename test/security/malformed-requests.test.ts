import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Api, codeOf, startApi } from "../support/api.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder } from "../support/cli.ts";
import { limit } from "../support/limits.ts";
import { askRaw, exchangeBytes, parseAnswer } from "../support/raw.ts";
import { tellNumbers } from "../support/tell-numbers.ts";
import { type OddRequest, OddRequests } from "./odd-requests.ts";

const REQUESTS = Number(process.env.STANDIN_FUZZ_REQUESTS ?? 300);
const SEED = Number(process.env.STANDIN_FUZZ_SEED ?? 20_260_101);
/** Requests that follow one another on a socket without waiting. */
const PIPELINED = 20;
const SOCKETS = 24;

describe(`${REQUESTS} malformed and odd requests (seed ${SEED})`, () => {
  test(
    "none is answered with 5xx, none is lost, nothing is changed, and the server goes on",
    async () => {
      const thrown = listenForThrown();
      const api = await startOddApi();
      const before = await api.ask("GET /db");
      const conversations = createConversations(new OddRequests(SEED));
      const statuses = new Map<number, number>();

      const talk = async (): Promise<void> => {
        for (let next = conversations.next(); !next.done; next = conversations.next()) {
          const requests = next.value;
          const answered = statusesIn(await converse(api.port, requests));
          for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const isFramed = requests.every((request) => request.isFramed);
          if (answered.every((status) => status < 500) && (!isFramed || answered.length === requests.length)) continue;
          expect.fail(`answered with ${answered.join(", ")}:\n${describeRequests(requests)}`);
        }
      };
      await Promise.all(Array.from({ length: SOCKETS }, talk));

      expect(thrown).toEqual([]);
      expect((await api.ask("GET /db")).text).toBe(before.text);
      expect((await api.ask("POST /products", { body: { name: "still here" } })).status).toBe(201);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      // The requests are of many kinds, so the answers must be, too.
      for (const status of [200, 204, 400, 404, 405, 413, 415, 431]) expect([...statuses.keys()]).toContain(status);
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} times ${status}`);
      tellNumbers(`${REQUESTS} odd requests (STANDIN_FUZZ_SEED=${SEED}), answered ${counts.join(", ")}; none lost.`);
    },
    limit(60_000 + REQUESTS * 5),
  );
});

describe("more headers than any client sends", () => {
  // Within the 16 kB that a head may have.
  const many = Array.from({ length: 2500 }, () => "a:");

  test("a page of another origin is refused behind them, too", async () => {
    const api = await startApi();
    await api.ask("DELETE /products/1");
    const { status } = await askRaw(api.port, "POST /__reset", [...many, "Origin: http://evil.example"]);
    expect(status).toBe(403);
    expect((await api.ask("GET /products/1")).status).toBe(404);
  });

  test("a body is read behind them, too, and If-Match counts", async () => {
    const api = await startApi();
    const body = '{"name":"Behind"}';
    const ends = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    expect((await askRaw(api.port, "PUT /products/1", [...many, ...ends], body)).status).toBe(200);
    expect((await api.ask("GET /products/1")).body).toEqual({ name: "Behind", id: 1 });
    expect((await askRaw(api.port, "DELETE /products/1", [...many, 'If-Match: "other"'])).status).toBe(412);
  });
});

test("a request that ends too early gets an error", async () => {
  const api = await startApi();
  for (const head of ["Content-Length: 50", "Transfer-Encoding: chunked"]) {
    const start = `POST /products HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}\r\n\r\n`;
    const { status, body } = parseAnswer(await exchangeBytes(api.port, `${start}14\r\n{`, true));
    expect([status, (JSON.parse(body) as { message: string }).message]).toEqual([
      400,
      expect.stringMatching(/ended before it was complete/),
    ]);
  }
});

/** A server with everything switched on that looks at a request. */
function startOddApi(): Promise<Api> {
  const staticFolder = createFolder();
  writeFileSync(join(staticFolder, "page.html"), "<p>page</p>");
  return startApi({
    data: { ...catalog(), profile: { open: true }, $schema: "x" },
    routes: {
      "/api/v1/*": "/$1",
      "/api/products/search/:term": "/products?name_like=:term",
      "/health": "/health-check",
    },
    static: staticFolder,
    trustProxy: true,
  });
}

/** Uncaught errors, from now until the test ends. */
function listenForThrown(): unknown[] {
  const thrown: unknown[] = [];
  const note = (reason: unknown): void => void thrown.push(reason);
  process.on("uncaughtException", note).on("unhandledRejection", note);
  onTestFinished(() => void process.off("uncaughtException", note).off("unhandledRejection", note));
  return thrown;
}

/** Requests that share a socket: several whose ends are clear, or one alone. */
function* createConversations(odd: OddRequests): Generator<OddRequest[], undefined> {
  let framed: OddRequest[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const request = odd.next();
    if (request.isFramed) framed.push(request);
    else yield [request];
    if (framed.length < PIPELINED) continue;
    yield framed;
    framed = [];
  }
  if (framed.length > 0) yield framed;
}

/**
 * Sends all of them at once and gives back everything that was answered. Where the ends are clear, a last plain request
 * asks for the connection to be closed; where they are not, our side is closed behind the bytes.
 */
function converse(port: number, requests: readonly OddRequest[]): Promise<string> {
  const isFramed = requests.every((request) => request.isFramed);
  const goodbye = isFramed ? "GET /goodbye HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" : "";
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      const bytes = requests.map((request) => request.bytes).join("") + goodbye;
      if (isFramed) socket.write(bytes, "latin1");
      else socket.end(bytes, "latin1");
    });
    socket.setEncoding("latin1");
    socket.on("data", (piece) => {
      received += piece;
    });
    // A server that refuses may hang up while we still send.
    socket.on("error", () => {});
    socket.on("close", () => resolve(isFramed ? received.slice(0, received.lastIndexOf("HTTP/1.1 404")) : received));
  });
}

/** The status of every answer but interim ones. */
function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200);
}

function describeRequests(requests: readonly OddRequest[]): string {
  return requests.map(({ bytes }) => JSON.stringify(bytes.slice(0, 300))).join("\n");
}

describe("patterns made to be slow", () => {
  const PATTERNS = ["^(a+)+$", "^(a|a)*$", "(.*a){12}$", "^([a-z]+)*\\d$", "(a*)*b"];
  const records = (count: number, length: number, prefix = "") =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `${prefix}${"a".repeat(length)}!` }));

  for (const pattern of PATTERNS) {
    test(`name_like=${pattern} on a value of 20,000 letters gets a response`, async () => {
      const api = await startApi({ data: { products: records(1, 20_000) } });
      const { status, body } = await api.ask(`GET /products?name_like=${encodeURIComponent(pattern)}`);
      expect([status, (body as unknown[]).length]).toEqual([200, 0]);
    });
  }

  const COUNT = process.env.STANDIN_SOAK ? 12_000 : 1500;
  const SLOW: [pattern: string, prefix: string][] = [
    ["^(a+)+$", ""],
    // A simple pattern, but on texts beyond ASCII.
    ["a.*!.*a", "ä"],
  ];
  for (const [pattern, prefix] of SLOW) {
    test(`while name_like=${pattern} is at work, others are served, and writes are taken`, async () => {
      const api = await startApi({ data: { products: records(COUNT, 2000, prefix) } });
      let isDone = false;
      const slow = api.ask(`GET /products?name_like=${encodeURIComponent(pattern)}`).then((answer) => {
        isDone = true;
        return answer;
      });
      // The first answers come once the scan is under way; what counts is that several come before it ends.
      const quick = [
        await api.ask("GET /products/1"),
        await api.ask(`PATCH /products/${COUNT}`, { body: { name: "a!a" } }),
        await api.ask("GET /products?_page=2"),
      ];
      expect(quick.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(isDone).toBe(false);
      // It reads the records as they were when it began.
      expect([(await slow).status, (await slow).body]).toEqual([200, []]);
      expect((await api.ask(`GET /products/${COUNT}`)).body).toEqual({ id: COUNT, name: "a!a" });
    });
  }

  const TOO_LARGE = ["(a{1000}){1000}", "a{999999}", "((a{30}){30}){30}", "(".repeat(999)];
  for (const pattern of TOO_LARGE) {
    test(`name_like=${pattern.slice(0, 20)} is refused, not tried`, async () => {
      const api = await startApi();
      const answer = await api.ask(`GET /products?name_like=${encodeURIComponent(pattern)}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, "QUERY_INVALID"]);
    });
  }
});
