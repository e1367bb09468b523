import { EventEmitter, once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/command-table.ts";
import { createTerminal } from "../../src/commands/terminal.ts";
import { filesIn } from "../durability/place.ts";
import { CLI, createFolder, printed, runCli, serveCli } from "../support/cli.ts";
import { answering, runKept, serveKept, serveQuietly } from "../support/kept-process.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";
import { somePort } from "../support/some-port.ts";
import { beginPost } from "../support/unfinished-post.ts";

const SHOP = {
  companies: [{ id: 1, name: "Acme" }],
  products: [
    { id: 1, name: "Hat", company_id: 1 },
    { id: 2, name: "Cap", company_id: 1 },
  ],
  profile: { name: "shop" },
};
const ESCAPE = "\u001b";

function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Whether a new connection is still taken. */
async function isAccepting(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe.concurrent("a start", () => {
  test("creates a missing db.json with 100 products and 100 companies, and says so", async () => {
    const folder = createFolder();
    const server = await serveKept([], folder);
    expect(server.output.stdout).toContain("db.json does not exist");
    expect(server.output.stdout).toContain("db.json did not exist; created it with 100 products and 100 companies");
    const products = (await (await fetch(`${server.url}/products`)).json()) as unknown[];
    expect(products).toHaveLength(100);
    await server.stop();
    const data = JSON.parse(readFileSync(join(folder, "db.json"), "utf8"));
    expect([Object.keys(data), data.products.length, data.companies.length]).toEqual([
      ["products", "companies"],
      100,
      100,
    ]);
  });

  test("creates the file that was named where nothing else can be served", async () => {
    const configuration = {
      "package.json": { name: "x", scripts: { start: "standin" }, keywords: [] },
      "tsconfig.json": '{ "references": [{ "path": "./tsconfig.app.json" }] } // of Vite',
      "standin.json": { id: "id" },
      "compose.yaml": "services:\n  web:\n    image: node\n",
    };
    const folder = createFolder(configuration);
    const server = await serveKept(["shop.json"], folder);
    await server.stop();
    expect(readdirSync(folder).sort()).toEqual(["shop.json", ...Object.keys(configuration)].sort());
  });

  test("of standin mcp beside a data file creates no other", async () => {
    const folder = createFolder({ "db.json": SHOP });
    const { output, exit } = runCli(["mcp", "shop.json", "--port", "0"], folder);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain('shop.json does not exist; beside it there is db.json. Did you mean "db.json"?');
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });

  test("prints the address, each collection with its count and address, the rules, and where data is saved", async () => {
    const folder = createFolder({ "db.json": SHOP, "routes.json": { "/api/v1/*": "/$1", "/health": "/health-check" } });
    const { url, output, stop } = await serveKept(["--routes", "routes.json"], folder);
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    const lines = output.stdout.split("\n").map((line) => line.trim().replace(/ +/g, " "));
    expect(lines).toEqual(
      expect.arrayContaining([
        `standin is serving at ${url}`,
        `companies 1 ${url}/companies`,
        `products 2 ${url}/products`,
        `profile singleton ${url}/profile`,
        "Rewrite rules",
        "/api/v1/* -> /$1",
        "/health -> /health-check",
        `Database ${url}/db`,
        expect.stringMatching(/^Saved to .*\/db\.json$/),
      ]),
    );
    for (const [address] of output.stdout.matchAll(/http:\S+/g)) {
      expect((await fetch(address)).status, address).toBe(200);
    }
    await stop();
    expect(output.stderr).toBe("");
  });

  test("of an empty file serves an empty database and says so", async () => {
    const server = await serveKept([], createFolder({ "db.json": "" }));
    expect(server.output.stdout).toContain("The database is empty.");
    expect(await (await fetch(`${server.url}/db`)).json()).toEqual({});
    await server.stop();
  });

  test("on localhost responds on every address of localhost", async () => {
    const loopback = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address }) => address);
    const server = await serveKept([], createFolder({ "db.json": SHOP }));
    expect(loopback).toContain("127.0.0.1");
    for (const address of ["127.0.0.1", "::1"].filter((one) => loopback.includes(one))) {
      const host = address.includes(":") ? `[${address}]` : address;
      expect((await fetch(`${server.url.replace("localhost", host)}/products/1`)).status, host).toBe(200);
    }
    await server.stop();
  });

  test("warns of names that built-in routes hide, and of records that cannot be reached", async () => {
    const data = { db: [], products: [{ name: "no id" }, { id: 1 }, { id: 1 }] };
    const server = await serveKept([], createFolder({ "db.json": data }));
    expect(server.output.stdout).toMatch(/warning .*"db" is hidden/);
    expect(server.output.stdout).toMatch(
      /warning .*products: 1 record has no usable "id"\. It appears in lists, but has no URL/,
    );
    await server.stop();
  });
});

test("a reader that stops early, as head does, ends nothing with an error", async () => {
  const run = runCli(["rules", "db.json"], createFolder({ "db.json": SHOP }));
  run.child.stdout!.destroy();
  expect(await run.exit).toBe(0);
  expect(run.output.stderr).toBe("");
});

test("names of collections are not commands to the terminal", async () => {
  const data = { "red\u001b[31m\nline": [{ id: 1 }] };
  const server = await serveKept(["--memory"], createFolder({ "db.json": data }));
  expect(server.output.stdout).toContain("red?[31m?line");
  await server.stop();
});

describe.concurrent("--quiet", () => {
  test("prints the address, which --port 0 leaves open, and nothing else: no warnings, no requests", async () => {
    const folder = createFolder({ "standin.json": { colour: 1 }, "db.json": { ...SHOP, db: [] } });
    const server = await serveQuietly([], folder);
    await fetch(`${server.url}/products/1`);
    await fetch(`${server.url}/nope`);
    expect(await server.stop()).toBe(0);
    expect(server.output).toEqual({ stdout: `${server.url}\n`, stderr: "" });
  });

  test("prints nothing where the port is given", async () => {
    const folder = createFolder({ "db.json": SHOP });
    const server = await answering(runKept(["--quiet", "--port", String(somePort())], folder));
    await server.stop();
    expect(server.output).toEqual({ stdout: "", stderr: "" });
  });

  test("prints errors", async () => {
    const { output, exit } = runKept(["--quiet", "--port", "0"], createFolder({ "db.json": "[1" }));
    expect(await exit).toBe(1);
    expect(output.stdout).toBe("");
    expect(output.stderr).toMatch(/^standin: db\.json is not valid JSON/);
  });
});

describe.concurrent("data keys with the name of a built-in route", () => {
  test("are warned about, and no address is printed that leads elsewhere", async () => {
    const data = { products: [{ id: 1 }], db: [{ id: 1 }], __console: [{ id: 7 }], __guide: {} };
    const server = await serveKept([], createFolder({ "db.json": data }));
    const { serves } = await (await fetch(server.url)).json();
    const html = await (await fetch(`${server.url}/__console`)).json();
    await server.stop();
    const { stdout } = server.output;
    expect(stdout).toContain('/db is a built-in route, so the data key "db" is hidden.');
    expect(stdout).toMatch(/^ +db +1 +hidden by a built-in route$/m);
    for (const name of ["__console", "__guide"]) {
      expect(stdout).toContain(`The data key "${name}" takes the place of the built-in route /${name}.`);
      expect(stdout).toContain(`${server.url}/${name}`);
    }
    expect(html).toEqual([{ id: 7 }]);
    expect(stdout).not.toMatch(/^ +Console /m);
    expect(stdout).toMatch(/^ +API docs /m);
    expect(serves.map(({ url }: { url?: string }) => url)).toEqual([
      `${server.url}/products`,
      undefined,
      `${server.url}/__console`,
      `${server.url}/__guide`,
    ]);
  });
});

describe.concurrent("the request log", () => {
  test("has one line for each request: method, address, status, duration, bytes", async () => {
    const server = await serveKept([], createFolder({ "db.json": SHOP }));
    const body = await (await fetch(`${server.url}/products/1?_expand=company`)).text();
    await printed(
      server,
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d GET /products/1\\?_expand=company 200 \\d+\\.\\d{3} ms - ${body.length}$`, "m"),
    );
    await fetch(`${server.url}/products`, { method: "POST" });
    await printed(server, / POST \/products 201 \d+\.\d{3} ms - \d+$/m);
    await fetch(`${server.url}/nope`);
    await printed(server, / GET \/nope 404 .*\n +There is no collection "nope"\. Available: /m);
    await server.stop();
  });

  test("carries no control characters of an address to the terminal", async () => {
    const server = await serveKept([], createFolder({ "db.json": SHOP }));
    await fetch(`${server.url}/%1b[31m`);
    await printed(server, / GET \/%1b/m);
    expect(server.output.stdout).not.toContain(ESCAPE);
    await server.stop();
  });
});

describe.concurrent("colour", () => {
  const cases = [
    ["no terminal", {}, false],
    ["FORCE_COLOR=1", { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0", { FORCE_COLOR: "0" }, false],
    ["NO_COLOR=1", { NO_COLOR: "1" }, false],
    ["NO_COLOR=1 FORCE_COLOR=1", { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ] as const;
  for (const [name, env, isColoured] of cases) {
    test(`${name}: ${isColoured ? "escape codes" : "plain text"}`, async () => {
      const server = await serveKept([], createFolder({ "db.json": SHOP }), env);
      await fetch(`${server.url}/products/1`);
      await printed(server, /^\d\d:\d\d:\d\d GET \/products\/1 200/m);
      expect(server.output.stdout.includes(ESCAPE)).toBe(isColoured);
      await server.stop();
      expect(server.output.stderr).toBe("");
    });
  }

  const terminals = [
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { TERM: "dumb" }, false],
    [{ isTTY: true }, { NO_COLOR: "1" }, false],
    [{ isTTY: true }, { NO_COLOR: "" }, true],
    [{ isTTY: true }, { FORCE_COLOR: "0" }, false],
    [{ isTTY: false }, { FORCE_COLOR: "1" }, true],
    [{ isTTY: false }, {}, false],
  ] as const;
  for (const [stream, env, isColoured] of terminals) {
    test(`${JSON.stringify(stream)} with ${JSON.stringify(env)}: ${isColoured ? "escape codes" : "plain text"}`, () => {
      let printed = "";
      const write = (text: string) => {
        printed += text;
      };
      const out = Object.assign(new EventEmitter(), stream, { write }) as unknown as NodeJS.WriteStream;
      const { style, print } = createTerminal({ out, err: out, env });
      print(style("red", "no"));
      expect(printed).toBe(isColoured ? `${ESCAPE}[31mno${ESCAPE}[39m\n` : "no\n");
    });
  }
});

describe.concurrent("a start that cannot go on", () => {
  for (const host of ["127.0.0.1", "0.0.0.0"]) {
    test(`port taken on ${host}: one line with EADDRINUSE, the port and --port`, async () => {
      const other = createServer().listen(0, host);
      await once(other, "listening");
      const { port } = other.address() as { port: number };
      const { output, exit } = runKept(["--port", String(port)], createFolder({ "db.json": SHOP }));
      expect(await exit).toBe(1);
      other.close();
      expect(output.stdout).toBe("");
      expect(output.stderr).toMatch(
        new RegExp(`^standin: EADDRINUSE: port ${port} is already in use\\..*--port 3001, .*--port auto .*\\n$`),
      );
    });
  }

  test("port taken: --quiet does not hide it", async () => {
    const folder = createFolder({ "db.json": SHOP });
    const first = await serveKept([], folder);
    const { port } = new URL(first.url);
    const second = runKept(["--port", port, "--quiet"], createFolder({ "db.json": SHOP }));
    expect(await second.exit).toBe(1);
    expect(second.output.stderr).toContain("EADDRINUSE");
    expect((await fetch(`${first.url}/products/1`)).status).toBe(200);
    await first.stop();
  });

  const refused = [
    [
      "broken JSON",
      "db.json",
      '{\n  "products": [\n    { "id": 1, }\n  ]\n}',
      /db\.json is not valid JSON: line 3, column 14: JSON does not allow a comma before "\}"/,
    ],
    [
      "cut off JSON",
      "db.json",
      '{\n  "products": [',
      /db\.json is not valid JSON: line 2, column 16: .*end of the text/,
    ],
    ["a top-level array", "db.json", "[]", /db\.json: .*array/],
    ["a top-level text", "db.json", '"products"', /db\.json: .*object/],
    ["a scalar member", "db.json", '{ "products": [], "total": 5 }', /db\.json: .*"total".*5|number/],
    ["a null member", "db.json", '{ "products": null }', /db\.json: .*"products".*null/],
    ["a source that is no .json file", "data.txt", "{}", /data\.txt cannot be served\b.*\.json/],
  ] as const;
  for (const [kind, file, text, message] of refused) {
    test(`${kind}: one line that names the file, exit code 1, the file untouched`, async () => {
      const folder = createFolder({ [file]: text });
      const { output, exit } = runKept([file, "--port", "0"], folder);
      expect(await exit).toBe(1);
      expect(output.stdout).toBe("");
      expect(output.stderr).toMatch(/^standin: .*\n$/);
      expect(output.stderr).toMatch(message);
      expect(readdirSync(folder)).toEqual([file]);
      expect(readFileSync(join(folder, file), "utf8")).toBe(text);
    });
  }

  test("a data file in a folder that does not exist", async () => {
    const { output, exit } = runKept(["nowhere/db.json", "--quiet", "--port", "0"], createFolder());
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(
      /^standin: nowhere\/db\.json cannot be created: the folder nowhere does not exist\.\n$/,
    );
  });

  const routes = [
    ["missing", undefined, /routes\.json cannot be used: it does not exist\./],
    ["broken", '{\n "/a" "/b" }', /routes\.json cannot be used: line 2, column 7: /],
    ["an array", "[]", /routes\.json cannot be used: it must contain a JSON object/],
    ["an unknown capture", '{ "/a/:b": "/c/:d" }', /routes\.json cannot be used: .*":?\/a\/:b".*:d/],
  ] as const;
  for (const [kind, text, message] of routes) {
    test(`a rewrite file: ${kind}`, async () => {
      const files = text === undefined ? {} : { "routes.json": text };
      const { output, exit } = runKept(["-r", "routes.json", "-p", "0"], createFolder({ "db.json": SHOP, ...files }));
      expect(await exit).toBe(1);
      expect(output.stdout).toBe("");
      expect(output.stderr).toMatch(/^standin: .*\n$/);
      expect(output.stderr).toMatch(message);
    });
  }

  test("a host that is not this machine's", async () => {
    const { output, exit } = runKept(["--host", "192.0.2.1", "--port", "0"], createFolder({ "db.json": SHOP }));
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(/^standin: EADDRNOTAVAIL: .*"192\.0\.2\.1".*--host.*\n$/);
  });
});

describe.concurrent("a stop", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`${signal}: the running request gets its response, no other is accepted, the file is whole, exit code 0`, async () => {
      const folder = createFolder({ "db.json": SHOP });
      const server = await serveCli([], folder);
      const running = await beginPost(`${server.url}/products`);
      server.child.kill(signal);
      while (await isAccepting(server.url)) await sleep(10);
      expect(await running.finish({ name: "Scarf" })).toEqual([201, { name: "Scarf", id: 3 }]);
      expect(await server.exit).toBe(0);
      expect(JSON.parse(readFileSync(join(folder, "db.json"), "utf8")).products).toHaveLength(3);
      expect(filesIn(folder)).toEqual(["db.json"]);
      expect(server.output.stderr).toBe("");
    });
  }

  // A half request is waited for as long as a stop may take.
  for (const flags of IS_SOAK ? [[], ["--ssl"]] : [["--ssl"]]) {
    testAtLength(`connections that never asked for anything do not hold it up ${flags.join("")}`, async () => {
      const server = await serveCli(["--memory", ...flags], createFolder({ "db.json": SHOP }));
      const { port } = new URL(server.url);
      const silent = connect(Number(port), "127.0.0.1");
      // As much of a TLS handshake, or of a request, as says nothing yet.
      const halting = connect(Number(port), "127.0.0.1", () => halting.write(flags.length > 0 ? "\x16\x03" : "GE"));
      for (const socket of [silent, halting]) socket.on("error", () => {});
      await Promise.all([once(silent, "connect"), once(halting, "connect")]);
      const running = await beginPost(`${server.url}/products`);
      const closed = once(silent, "close");
      server.child.kill("SIGTERM");
      await closed;
      // That was before the time was over that a request on its way is given.
      expect((await running.finish({}))[0]).toBe(201);
      expect(await server.exit).toBe(0);
    });
  }

  test("every acknowledged write is in the file, however many at once", async () => {
    const folder = createFolder({ "db.json": SHOP });
    const server = await serveCli([], folder);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => postJson(`${server.url}/products`, { name: `n${index}` })),
    );
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: number }).id));
    expect(await server.stop()).toBe(0);
    const { products } = JSON.parse(readFileSync(join(folder, "db.json"), "utf8")) as { products: { id: number }[] };
    expect(products.map(({ id }) => id)).toEqual([1, 2, ...ids.sort((a, b) => a - b)]);
  });
});

describe.concurrent("the data file", () => {
  test("is 2-space JSON with a final newline, in the order it had", async () => {
    const data = {
      $schema: "./shop.schema.json",
      zebras: [{ name: "Zoe", id: 1, age: 3 }],
      about: { b: 1, a: [1.5] },
      apes: [],
    };
    const folder = createFolder({ "db.json": data });
    const server = await serveKept([], folder);
    await postJson(`${server.url}/apes`, { tail: false, name: "Ü", note: "" });
    await server.stop();
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(
      `${JSON.stringify({ ...data, apes: [{ tail: false, name: "Ü", note: "", id: 1 }] }, null, 2)}\n`,
    );
  });

  test("is left as it is when nothing is written", async () => {
    const text = JSON.stringify(SHOP);
    const folder = createFolder({ "db.json": text });
    const server = await serveKept([], folder);
    await fetch(`${server.url}/products`);
    await fetch(`${server.url}/products/99`, { method: "DELETE" });
    await server.stop();
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(text);
    expect(filesIn(folder)).toEqual(["db.json"]);
  });

  test("stays behind its symbolic link, and keeps its mode", async () => {
    const folder = createFolder();
    mkdirSync(join(folder, "real"));
    const file = join(folder, "real", "shop.json");
    writeFileSync(file, JSON.stringify(SHOP));
    chmodSync(file, 0o640);
    symlinkSync(join("real", "shop.json"), join(folder, "db.json"));
    const server = await serveKept([], folder);
    await fetch(`${server.url}/products/1`, { method: "DELETE" });
    await server.stop();
    expect(lstatSync(join(folder, "db.json")).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(JSON.parse(readFileSync(file, "utf8")).products).toEqual([SHOP.products[1]]);
    expect(filesIn(join(folder, "real"))).toEqual(["shop.json"]);
  });

  test("is never written with --memory, though writes work and are visible", async () => {
    const text = JSON.stringify(SHOP);
    const folder = createFolder({ "db.json": text });
    const server = await serveKept(["--memory"], folder);
    expect(server.output.stdout).toMatch(/Saved to +memory/);
    expect((await postJson(`${server.url}/products`, { name: "Scarf" })).status).toBe(201);
    expect((await fetch(`${server.url}/products/1`, { method: "DELETE" })).status).toBe(200);
    expect((await fetch(`${server.url}/products/3`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });
});

describe.concurrent("help", () => {
  test("--help fits a screen, names every command, and says where the rest is", async () => {
    const { output, exit } = runKept(["--help"], createFolder());
    expect(await exit).toBe(0);
    const lines = output.stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
    const words = output.stdout.split(/[\s,]+/);
    for (const command of Object.keys(COMMANDS)) expect(words).toContain(command.split(" ")[0]);
    for (const text of ["-p, --port <port>", "-w, --watch", "--open", "standin --help all"]) {
      expect(output.stdout).toContain(text);
    }
  });

  test("--help all says what standin is, names every command and flag, and shows examples", async () => {
    const folder = createFolder({ "standin.json": "{ broken" });
    const { output, exit } = runKept(["--help", "all"], folder);
    expect(await exit).toBe(0);
    expect(output.stderr).toBe("");
    for (const text of [
      "standin [source] [options]",
      "standin generate [file]",
      "created when missing",
      "-p, --port <port>",
      "Port to listen on; auto is the next free one from 3000, 0 any free one [3000]",
      "-w, --watch",
      "--read-only, --ro",
      "--foreignKeySuffix, --fks <suffix>",
      "--memory",
      "Examples",
      "standin data.json --port 3001",
    ]) {
      expect(output.stdout).toContain(text);
    }
    expect(existsSync(join(folder, "db.json"))).toBe(false);
  });

  test("help shows which values are allowed", async () => {
    const { output, exit } = runKept(["help", "all"], createFolder());
    expect(await exit).toBe(0);
    for (const text of [
      "Layers for --middlewares: logger, cors, ",
      "--durability <process|disk>",
      "json-server-0.17, json-server-1",
      "(2 to 1000) [10]",
    ]) {
      expect(output.stdout).toContain(text);
    }
  });

  for (const [line, same] of [
    ["help", "--help"],
    ["help all", "--help all"],
    ["help hosted export", "hosted export --help"],
    ["version", "--version"],
  ] as const) {
    test(`${line} is ${same}`, async () => {
      const [one, other] = [line, same].map((words) => runKept(words.split(" "), createFolder()));
      expect([await one!.exit, await other!.exit]).toEqual([0, 0]);
      expect(one!.output.stdout).toBe(other!.output.stdout);
      expect(one!.output.stdout).not.toBe("");
    });
  }

  test("generate --help explains its own flags", async () => {
    const { output, exit } = runKept(["generate", "--help"], createFolder());
    expect(await exit).toBe(0);
    for (const flag of ["--products <count>", "--companies <count>", "--seed <number>"]) {
      expect(output.stdout).toContain(flag);
    }
  });

  const commands = [
    "secret",
    "snapshots",
    "types",
    "client",
    "requests",
    "rules",
    "check",
    "bind",
    "import",
    "export",
    "explain",
    "doctor",
    "hosted",
    "hosted export",
  ];
  for (const command of commands) {
    test(`${command} --help begins with how it is called`, async () => {
      const { output, exit } = runKept([...command.split(" "), "--help"], createFolder());
      expect(await exit).toBe(0);
      expect(stripVTControlCharacters(output.stdout)).toMatch(new RegExp(`^\\s*standin ${command}\\b`));
      expect(output.stderr).toBe("");
    });
  }

  for (const flag of ["--version", "-v"]) {
    test(`${flag} prints the version of the package`, async () => {
      const { output, exit } = runKept([flag], createFolder());
      expect(await exit).toBe(0);
      expect(output.stdout).toBe(`${JSON.parse(readFileSync("package.json", "utf8")).version}\n`);
    });
  }

  test("fits a terminal of 120 columns", async () => {
    const { output, exit } = runKept(["--help", "all"], createFolder());
    await exit;
    expect(
      stripVTControlCharacters(output.stdout)
        .split("\n")
        .filter((line) => line.length > 120),
    ).toEqual([]);
  });
});

describe("package.json", () => {
  const { scripts, bin } = JSON.parse(readFileSync("package.json", "utf8"));

  for (const name of ["start", "start:3001", "generate", "build", "dev", "test", "lint", "bench"]) {
    test(`has the script ${name}`, () => {
      expect(scripts[name]).toEqual(expect.any(String));
    });
  }

  test("start:3001 is the same start on the alternative port", () => {
    expect(scripts["start:3001"]).toBe(`${scripts.start} --port 3001`);
  });

  test("the bin is the built command line, which says how it is run", () => {
    expect(bin).toEqual({ standin: "dist/cli.js" });
    expect(readFileSync(CLI, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});
