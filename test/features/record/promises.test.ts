import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inferRecording } from "../../../src/features/record/infer/infer-recording.ts";
import { createStandin, type StandinOptions } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { runKept } from "../../support/kept-process.ts";
import { startOddUpstream } from "./odd-upstream.ts";
import { type Row, traffic } from "./traffic.ts";

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { responses: { 200: { description: "" } } } } },
};

async function startApi(respond?: Parameters<typeof startOddUpstream>[0]) {
  const api = await startOddUpstream(respond);
  onTestFinished(() => api.close());
  return api;
}

async function start(options: StandinOptions) {
  const standin = await createStandin(options);
  onTestFinished(() => standin.close());
  return standin;
}

test("requests to the real API share a connection", async () => {
  const sockets = new Set<Socket>();
  const api = await startApi((req, res) => {
    sockets.add(req.socket);
    res.end("{}");
  });
  const { url } = await start({ data: {}, fallback: api.url });
  for (const path of ["/a", "/b", "/c"]) expect((await askAt(url, `GET ${path}`)).status).toBe(200);
  expect(sockets.size).toBe(1);
});

test("a body that names the real API's address arrives as it was sent", async () => {
  const bodyFor = (host = ""): string => `{"next": "http://${host}/v1/p?page=2"}`;
  const api = await startApi((req, res) => {
    res.setHeader("Content-Type", "application/json");
    res.end(bodyFor(req.headers.host));
  });
  const { url } = await start({ data: {}, fallback: api.url });
  expect((await askAt(url, "GET /v1/p")).text).toBe(bodyFor(new URL(api.url).host));
});

test("the values of --header go to no origin that a redirect names", async () => {
  const other = await startApi();
  const api = await startApi((_, res) => {
    res.writeHead(302, { Location: `${other.url}/elsewhere` });
    res.end();
  });
  const { url } = await start({ data: {}, fallback: api.url, header: ["X-Key: own-key"] });
  const answer = await fetch(`${url}/a`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `${other.url}/elsewhere`]);
  expect(other.seen).toEqual([]);
});

test.each(["/pets", "/__requests", "/__record"])("with --upstream, strangers are refused at %s", async (path) => {
  const api = await startApi();
  const folder = createFolder({ "api.json": DOCUMENT });
  const { url } = await start({ source: `${folder}/api.json`, upstream: api.url });
  const host = await askAt(url, `GET ${path}`, { headers: { Host: "evil.test" } });
  expect([host.status, codeOf(host)]).toEqual([403, "HOST_FORBIDDEN"]);
  const page = await askAt(url, `GET ${path}`, { headers: { Origin: "https://evil.test" } });
  expect([page.status, codeOf(page)]).toEqual([403, "CROSS_ORIGIN"]);
  expect(api.seen).toEqual([]);
});

test.each([["a file", "db.json"] as const, ["an object", { pets: [] }] as const])(
  "upstream excludes data: %s",
  async (_, data) => {
    const source = join(createFolder({ "api.json": DOCUMENT }), "api.json");
    await expect(createStandin({ source, data, upstream: "http://127.0.0.1:9" })).rejects.toThrow(
      /--data would have no effect/,
    );
  },
);

test("the command line refuses --upstream with --data", async () => {
  const folder = createFolder({ "api.json": DOCUMENT });
  const { exit, output } = runKept(["api.json", "--data", "db.json", "--upstream", "http://127.0.0.1:9"], folder);
  expect(await exit).toBe(1);
  expect(output.stderr).toContain("--data would have no effect");
});

test("objects inside records stay there", () => {
  const order = { id: 1, customer: { id: 7, name: "Ada" }, lines: [{ id: 70, count: 2 }] };
  const { data } = inferRecording(
    traffic(["GET /orders", 200, { body: [order] }], ["GET /orders/1", 200, { body: order }]),
  );
  expect(data).toEqual({ orders: [order] });
});

test("an operation keeps at most five examples, one per shape", () => {
  const rows = Array.from(
    { length: 8 },
    (_, at): Row => [`GET /report?kind=${at}`, 200, { body: { [`field${at}`]: at } }],
  );
  const again: Row = ["GET /report?kind=0&again=1", 200, { body: { field0: 9 } }];
  const { document } = inferRecording(traffic(...rows, again));
  const { paths } = document as unknown as {
    paths: Record<string, { get: { responses: Record<string, { content: Record<string, { examples: object }> }> } }>;
  };
  const examples = paths["/report"]?.get.responses["200"]?.content["application/json"]?.examples ?? {};
  expect(Object.keys(examples)).toHaveLength(5);
});
