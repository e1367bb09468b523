import { spawn } from "node:child_process";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { CLI, createFolder, follow } from "../../support/cli.ts";
import { testAtLength } from "../../support/soak.ts";
import { type Agent, connectAgent, ERAS, type Era } from "./agent.ts";

const DATA = { products: [{ id: 1, name: "Hat", price: 5 }] };
const KEY = "my-key-0123456789";

interface Connected extends Agent {
  readonly stderr: string;
}

/** Starts `standin mcp` the way clients do. */
async function connectOnStdio(args: readonly string[], folder: string, era: Era, env = {}): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", ...args],
    cwd: folder,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const agent = await connectAgent(transport, era);
  return Object.defineProperty(agent, "stderr", { get: () => stderr }) as Connected;
}

test("standin mcp serves the data itself; a second one joins it; both pass its guard, in sandboxes of their own", async () => {
  const folder = createFolder({
    "db.json": DATA,
    "standin.json": { port: 0, middlewares: ["api-key", "./loud.cjs"], layers: { "api-key": { keys: [KEY] } } },
    "loud.cjs": 'console.log("loaded"); module.exports = (req, res, next) => { console.log(req.url); next(); };',
  });
  const env = { STANDIN_API_KEY: KEY };
  const first = await connectOnStdio([], folder, ERAS[0], env);
  const { text } = await first.call("describe");
  // Output of users' code does not get into the protocol.
  expect(first.stderr).toContain("loaded");
  expect(first.stderr).toContain("serving at");
  const second = await connectOnStdio([join(folder, "db.json")], folder, ERAS[1], env);
  const write = { requests: [{ method: "PATCH", path: "/products/1", body: { name: "Cap" } }] };
  expect((await second.call("write", write)).body.responses[0].status).toBe(200);
  expect(second.stderr).toContain("joined the server at");
  expect((await second.callPlainly("query", { path: "/products/1" })).body.record.name).toBe("Cap");
  expect((await first.call("query", { path: "/products/1" })).body.record.name).toBe("Hat");
  expect(first.sandbox).not.toBe(second.sandbox);
  const url = /^url: (\S+)\/__sandbox/m.exec(text)![1]!;
  const get = async (): Promise<unknown> =>
    (await fetch(`${url}/products/1`, { headers: { "X-API-KEY": KEY } })).json();
  expect((await second.call("sandbox", { action: "promote" })).body).toMatchObject({ changed: 1 });
  expect(await get()).toMatchObject({ name: "Cap" });
  expect((await first.call("snapshot", { action: "save", name: "kept" })).isError).toBe(false);
  // The server ends with its client.
  await first.client.close();
  await expect.poll(() => get().catch(() => "gone")).toBe("gone");
  expect((await second.call("query", { path: "/products/1" })).body.code).toBe("STORE_UNAVAILABLE");
});

testAtLength("standard output has nothing but the protocol", async () => {
  const folder = createFolder({ "db.json": DATA });
  const run = follow(spawn(process.execPath, [CLI, "mcp", "--port", "0"], { cwd: folder }));
  const ask = (id: number, method: string, params: object): void => {
    run.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  };
  run.child.stdin!.write("no message\n");
  ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } });
  ask(2, "tools/call", { name: "query", arguments: { path: "/products" } });
  await expect.poll(() => run.output.stdout.split("\n").length, { timeout: 20_000 }).toBe(3);
  const messages = run.output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number });
  expect(messages.map(({ id }) => id)).toEqual([1, 2]);
  // A message without an end would fill the memory: the connection ends, and the server with it.
  run.child.stdin!.on("error", () => {});
  run.child.stdin!.write("x".repeat(11 * 1024 * 1024));
  expect(await run.exit).toBe(0);
  expect(run.output.stderr).toContain("a message cannot be read");
});
