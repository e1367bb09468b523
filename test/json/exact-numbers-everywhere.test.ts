import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin, type StandinOptions } from "../../src/index.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveQuietly } from "../support/kept-process.ts";

const TWEET = '{"id":1,"n":9007199254740993,"deep":[1e400]}';

/** Serves a file with exact numbers. */
async function served(options: Partial<StandinOptions> = {}) {
  const file = join(createFolder({}), "db.json");
  writeFileSync(file, `{"tweets":[${TWEET},{"id":2,"n":9007199254740992}],"likes":[{"id":1,"tweetId":1,"tweet":5}]}`);
  const standin = await createStandin({ source: file, ...options } as StandinOptions);
  onTestFinished(() => standin.close());
  return async (line: string, body?: unknown, headers: Record<string, string> = {}) =>
    askAt(standin.url, line, { ...(body !== undefined && { body }), headers });
}

type Ask = Awaited<ReturnType<typeof served>>;

/** Calls tools of the server for agents; the arguments are JSON text. */
async function agent(ask: Ask) {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await ask("POST /__mcp", { jsonrpc: "2.0", id: 0, method: "initialize", params });
  const headers = { "Mcp-Session-Id": begun.headers.get("mcp-session-id")! };
  return async (tool: string, args: string): Promise<string> => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`;
    const { body } = await ask("POST /__mcp", call, headers);
    return (body as { result: { content: [{ text: string }] } }).result.content[0].text;
  };
}

test("an agent reads and writes them", async () => {
  const ask = await served();
  const call = await agent(ask);
  expect(await call("query", '{"path":"/tweets"}')).toContain(TWEET);
  expect(await call("query", '{"path":"/tweets","where":{"n":{"eq":9007199254740993}}}')).toContain(`${TWEET}`);
  expect(await call("describe", '{"collection":"tweets"}')).toContain(TWEET);
  const body = '{"n":9007199254740995,"id":3}';
  const written = await call("write", `{"shared":true,"requests":[{"method":"POST","path":"/tweets","body":${body}}]}`);
  expect(written).toContain(body);
  expect((await ask("GET /tweets/3")).text.replace(/\s/g, "")).toBe(body);
});

test("one that is a body is called a number, and an agent reads no own route by another spelling", async () => {
  const ask = await served();
  for (const line of ["POST /tweets", "PATCH /tweets/1"]) {
    expect(await ask(line, "9007199254740993")).toMatchObject({
      status: 400,
      body: { message: "A record must be a JSON object, not a number." },
    });
  }
  const call = await agent(ask);
  expect(await call("query", '{"path":"/%5F_requests"}')).toContain("TOOL_INVALID");
});

test("changes and logged requests show them", async () => {
  const ask = await served();
  await ask("GET /__changes");
  await ask("GET /__requests");
  await ask("PATCH /tweets/1", '{"m":9007199254740997}');
  const { text } = await ask("GET /__changes");
  expect(text).toContain(`"before":${TWEET}`);
  expect(text).toContain('"m":9007199254740997}');
  expect((await ask("GET /__requests")).text).toContain('{\\"m\\":9007199254740997}');
});

test("the dialect of json-server 1 filters by them and embeds them", async () => {
  const ask = await served({ dialect: "json-server-1" });
  const compact = async (path: string) => (await ask(`GET ${path}`)).text.replace(/\s/g, "");
  expect(await compact("/tweets?id=1&n=9007199254740993")).toBe(`[${TWEET}]`);
  expect(await compact('/tweets?_where={"id":{"eq":1},"n":{"in":[9007199254740993]}}')).toBe(`[${TWEET}]`);
  expect(await compact("/tweets?n:gt=5&_sort=-n")).toContain(TWEET);
  // In place of a field of the same name.
  expect(await compact("/likes?_embed=tweet")).toBe(`[{"id":1,"tweetId":1,"tweet":${TWEET}}]`);
});

test("a QUERY body filters by them", async () => {
  const ask = await served();
  expect((await ask("QUERY /tweets", '{"id":1,"n":9007199254740993}')).text).toBe(`[${TWEET}]`);
  expect((await ask("QUERY /tweets", '{"id":1,"_where":{"n":{"eq":9007199254740993}}}')).text).toBe(`[${TWEET}]`);
});

test("a fault responds with them", async () => {
  const ask = await served();
  const fault = '{"fault":"status","status":418,"body":{"n":9007199254740993},"path":"/tweets"}';
  expect((await ask("POST /__faults", fault)).text).toContain('"n":9007199254740993');
  expect((await ask("GET /__faults")).text).toContain('"n":9007199254740993');
  expect((await ask("GET /tweets")).text).toContain('"n":9007199254740993');
});

test("a string of a batch refers to one", async () => {
  const ask = await served();
  const requests = [
    { method: "GET", path: "/tweets/1", as: "one" },
    { method: "POST", path: "/likes", body: { text: "number {{one.n}}" } },
  ];
  expect((await ask("POST /__batch", { requests })).text).toContain('"text":"number 9007199254740992"');
});

test("cursors go on behind them", async () => {
  const ask = await served();
  await ask("PATCH /tweets/1", '{"n":1e400}');
  await ask("POST /tweets", '{"id":3,"n":null}');
  const seen: unknown[] = [];
  let path: string | undefined = "/tweets?_sort=n&_limit=1&_after=&_fields=id";
  while (path !== undefined) {
    const page = await ask(`GET ${path}`);
    seen.push(...(page.body as { id: number }[]).map(({ id }) => id));
    path = /<https?:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  expect(seen).toEqual([2, 1, 3]);
});

test("the type is number in the description", async () => {
  const ask = await served();
  expect((await ask("GET /__types")).text).toMatch(/\bn\??: number/);
  expect((await ask("GET /llms.txt")).text).not.toContain('"text":"9007199254740993"');
});

test("a default keeps its digits", async () => {
  const folder = createFolder({});
  writeFileSync(join(folder, "db.json"), '{"tweets":[]}');
  const settings = '{"collections":{"tweets":{"defaults":{"n":9007199254740993,"list":[1e400]}}}}';
  writeFileSync(join(folder, "standin.json"), settings);
  const standin = await serveQuietly(["db.json"], folder);
  const made = await askAt(standin.url, "POST /tweets", { body: {} });
  expect(made.text.replace(/\s/g, "")).toBe('{"id":1,"n":9007199254740993,"list":[1e400]}');
  const sent = await askAt(standin.url, "POST /tweets", { body: '{"m":9007199254740995}' });
  expect(sent.text.replace(/\s/g, "")).toBe('{"m":9007199254740995,"id":2,"n":9007199254740993,"list":[1e400]}');
});

test("one in place of a collection is a number in the message", async () => {
  const file = join(createFolder({}), "db.json");
  writeFileSync(file, '{"a":1e400}');
  await expect(createStandin({ source: file })).rejects.toThrow('"a" must be an array (a collection) or an object');
  await expect(createStandin({ source: file })).rejects.toThrow("but is a number.");
});
