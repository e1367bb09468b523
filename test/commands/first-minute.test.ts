import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { networkAddresses } from "../../src/commands/banner.ts";
import { requestLine } from "../../src/commands/terminal.ts";
import { commandExists, need } from "../durability/spawned.ts";
import { spawnAtTerminal } from "../support/at-terminal.ts";
import { CLI, createFolder, follow, printed, runCli, serveCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { limit } from "../support/limits.ts";

const SHOP = { products: [{ id: 1, name: "Hat" }] };

/** Takes a port until the test ends. */
async function takePort(): Promise<number> {
  const other: Server = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  return (other.address() as { port: number }).port;
}

describe.concurrent("a port that is in use", () => {
  test("--port auto takes a free one and says which", async () => {
    const [first, second] = [createFolder({ "db.json": SHOP }), createFolder({ "db.json": SHOP })];
    const one = await serveKept(["--port", "auto"], first);
    const two = await serveKept(["--port", "auto"], second);
    expect(Number(new URL(one.url).port)).toBeGreaterThanOrEqual(3000);
    expect(two.url).not.toBe(one.url);
    for (const { url } of [one, two]) expect((await fetch(`${url}/products/1`)).status).toBe(200);
    await Promise.all([one.stop(), two.stop()]);
  });

  test("a broken file is reported before the port", async () => {
    const port = String(await takePort());
    const { output, exit } = runKept(["--port", port], createFolder({ "db.json": "[1" }));
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(/^standin: db\.json is not valid JSON/);
    const unknown = runKept(["shop.xml", "--port", port], createFolder());
    expect(await unknown.exit).toBe(1);
    expect(unknown.output.stderr).toMatch(/^standin: There is no command, file or folder "shop\.xml"/);
  });

  for (const [answer, expected] of [
    ["\n", "serves"],
    ["n\n", "fails"],
  ] as const) {
    test(`at a terminal the next one is offered; ${JSON.stringify(answer)}: it ${expected}`, async (context) => {
      need(context, "the command script, for a terminal", commandExists("script"));
      const port = await takePort();
      const folder = createFolder({ "db.json": SHOP });
      const run = follow(spawnAtTerminal(`${process.execPath} ${CLI} --port ${port}`, folder));
      const [, next] = await printed(run, /Port \d+ is in use\. Use (\d+) instead\?/);
      expect(Number(next)).toBeGreaterThan(port);
      run.child.stdin!.write(answer);
      if (expected === "serves") {
        await printed(run, new RegExp(`serving at http://localhost:${next}`));
        run.child.stdin!.write("q\n");
        expect(await run.exit).toBe(0);
      } else {
        await run.exit;
        expect(run.output.stdout).toContain(`EADDRINUSE: port ${port} is already in use`);
      }
    });
  }
});

describe.concurrent("a command with a typing mistake", () => {
  for (const [given, meant] of [
    ["generat", "generate"],
    ["hostd", "hosted"],
    ["files", "files clean"],
    ["dcotor", "doctor"],
  ] as const) {
    test(`${given}: ${meant} is suggested`, async () => {
      const folder = createFolder();
      const { output, exit } = runKept([given], folder);
      expect(await exit).toBe(1);
      expect(output.stderr).toBe(
        `standin: ${given} is neither a source nor a command. Did you mean "standin ${meant}"?\n`,
      );
    });
  }
});

describe.concurrent("lines on standard input", () => {
  test("h lists the keys, r reloads an edited file, q quits", async () => {
    const folder = createFolder({ "db.json": SHOP });
    const server = await serveCli([], folder);
    const type = (line: string): void => void server.child.stdin!.write(`${line}\n`);
    type("h");
    for (const key of ["o", "r", "s", "q"]) await printed(server, new RegExp(`^  ${key} \\+ enter  \\w`, "m"));
    type("r");
    await printed(server, /The data has not changed/);
    writeFileSync(join(folder, "db.json"), JSON.stringify({ products: [] }));
    type("r");
    await printed(server, /reloaded the data/);
    expect(await (await fetch(`${server.url}/products`)).json()).toEqual([]);
    type("s");
    await printed(server, /Snapshots are off/);
    type("q");
    expect(await server.exit).toBe(0);
  });

  test("r runs a module again, and reloads interceptors with what they require, and plugins", async () => {
    const folder = createFolder({
      "data.mjs": "export default () => ({ products: [{ id: 1 }] });",
      "mine.cjs":
        "const { version } = require('./part.cjs'); module.exports = (req, res, next) => res.set('X-V', version) && next();",
      "part.cjs": "exports.version = '1';",
      "plugin.mjs":
        'import { name } from "./name.mjs";\nexport default { name, routes: { "GET /v": () => ({ v: 1 }) } };',
      "name.mjs": 'export const name = "v";',
    });
    const server = await serveCli(["data.mjs", "--middlewares", "./mine.cjs", "--plugins", "plugin.mjs"], folder);
    const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
    write("data.mjs", "export default () => ({ products: [{ id: 2 }] });");
    write("part.cjs", "exports.version = '2';");
    write("plugin.mjs", readText(join(folder, "plugin.mjs"))!.replace("v: 1", "v: 2"));
    server.child.stdin!.write("r\n");
    await printed(
      server,
      /reloaded the data\n {2}reloaded \.\/mine\.cjs\n {2}reloaded plugin\.mjs\n {2}plugin\.mjs is reloaded, but not/,
    );
    const response = await fetch(`${server.url}/products/2`);
    expect([response.status, response.headers.get("X-V")]).toEqual([200, "2"]);
    expect(await (await fetch(`${server.url}/v`)).json()).toEqual({ v: 2 });
    write("mine.cjs", "(");
    server.child.stdin!.write("r\n");
    await printed(server, /The data has not changed\./);
    await vi.waitFor(
      () => expect(server.output.stderr).toContain("Kept the current version of ./mine.cjs: "),
      limit(30_000),
    );
    expect((await fetch(`${server.url}/products/2`)).headers.get("X-V")).toBe("2");
    await server.stop();
  });
});

test.concurrent("a job in the background of a terminal is not stopped by reading from it", async (context) => {
  need(context, "the commands script and bash", commandExists("script") && commandExists("bash"));
  const folder = createFolder({ "db.json": SHOP });
  const job = `set -m; ${process.execPath} ${CLI} --port 0 & echo pid=$!; wait`;
  const run = follow(spawnAtTerminal(`bash -c '${job}'`, folder));
  const [, pid] = await printed(run, /pid=(\d+)/);
  const [, url] = await printed(run, /serving at (\S+)/);
  run.child.stdin!.write("h\n");
  expect((await fetch(`${url}/products/1`)).status).toBe(200);
  process.kill(Number(pid), "SIGTERM");
  await run.exit;
  expect(run.output.stdout).not.toContain("+ enter");
});

test.concurrent("--open opens the address with the program of the desktop", async () => {
  const folder = createFolder({ "db.json": SHOP, "bin/xdg-open": '#!/bin/sh\necho "$1" > "$OPENED"\n' });
  const program = join(folder, "bin/xdg-open");
  chmodSync(program, 0o755);
  const opened = join(folder, "opened");
  const env = { PATH: [join(folder, "bin"), process.env.PATH].join(delimiter), OPENED: opened };
  const server = await serveCli(["--open"], folder, env);
  await vi.waitFor(() => expect(readText(opened)).toBe(`${server.url}\n`), limit(30_000));
  await server.stop();
  const without = runCli(["--open", "--port", "0"], folder, { PATH: join(folder, "none") });
  await printed(without, /No browser could be opened/);
  without.child.kill("SIGTERM");
  expect(await without.exit).toBe(0);
});

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

describe("the address on the network", () => {
  const interfaces = {
    lo: [{ address: "127.0.0.1", family: "IPv4" as const, internal: true }],
    eth0: [
      { address: "192.168.1.7", family: "IPv4" as const, internal: false },
      { address: "fe80::1", family: "IPv6" as const, internal: false },
    ],
  } as unknown as Parameters<typeof networkAddresses>[2];

  test("is shown where all addresses are listened to, and nowhere else", () => {
    expect(networkAddresses("0.0.0.0", "http://localhost:3000", interfaces)).toEqual(["http://192.168.1.7:3000"]);
    expect(networkAddresses("::", "https://localhost:3443", interfaces)).toEqual(["https://192.168.1.7:3443"]);
    expect(networkAddresses("localhost", "http://localhost:3000", interfaces)).toEqual([]);
  });
});

describe("a line for a request", () => {
  const plain = { style: (_style: string, text: string) => text, columns: Number.POSITIVE_INFINITY };
  const noon = new Date(2030, 0, 1, 12, 4, 31);
  const entry = { method: "GET", url: "/products/1", status: 200, durationMs: 7.53, bytes: 83 };

  test("has the time, and names sandbox and fault", () => {
    expect(requestLine(plain, entry, noon)).toBe("12:04:31 GET /products/1 200 7.530 ms - 83");
    const special = { ...entry, status: 503, sandbox: "ann", hasFault: true };
    expect(requestLine(plain, special, noon)).toBe("12:04:31 GET /products/1 503 7.530 ms - 83 sandbox ann fault");
  });

  test("has the reason of a refusal below it", () => {
    const refused = { ...entry, status: 400, refusal: "/body/name is required\u001b[2J" };
    expect(requestLine(plain, refused, noon)).toBe(
      "12:04:31 GET /products/1 400 7.530 ms - 83\n         /body/name is required?[2J",
    );
  });

  test("does not wrap: a long address is cut", () => {
    const long = { ...entry, url: `/products?name=${"x".repeat(200)}` };
    const line = requestLine({ ...plain, columns: 80 }, long, noon);
    expect(line).toHaveLength(80);
    expect(line).toMatch(/^12:04:31 GET \/products\?name=x+\.\.\. 200 7\.530 ms - 83$/);
  });
});
