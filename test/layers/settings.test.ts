import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { silentReporter } from "../../src/base/reporter.ts";
import { resolveServeOptions } from "../../src/config/resolve.ts";
import { createSteps } from "../../src/http/steps.ts";
import { createLayer, LAYER_NAMES, type LayerName } from "../../src/layers/registry.ts";
import { catalog } from "../support/catalog.ts";
import { createFolder, runCli } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { settingsOf, toolsWith } from "../support/layers.ts";

const KEY = "my-key-0123456789";
const SECRET = "a secret of thirty-two bytes, ok";
const USERS = [{ email: "a@b.c", password: "hidden-word" }];
const BCRYPT = "$2b$04$2QH5R.giKhzZBYnGXRQ9h.6CFI7xKsiApbP8GiUjf1Axbwk/.7TN2";
const SCRYPT_TAIL = `${"A".repeat(22)}==$${"A".repeat(43)}=`;

async function startMistake(name: LayerName, values: Json | undefined): Promise<string> {
  const failure = await createLayer(name, settingsOf(name, values), toolsWith()).catch((thrown: unknown) => thrown);
  // The settings object itself refuses what is no object.
  expect(failure).toMatchObject({ name: "StartError" });
  return (failure as Error).message;
}

describe("a setting that cannot be meant stops the start, naming file and key", () => {
  const cases: [layer: LayerName, values: JsonObject | undefined, key: string, reason: RegExp][] = [
    ["api-key", undefined, "keys", /layer needs "keys": .* Add "layers": .* to standin\.json\./],
    ["api-key", {}, "keys", /layer needs "keys": .* Add "layers": .* to standin\.json\./],
    ["api-key", { keys: [] }, "keys", /list/],
    ["api-key", { keys: KEY }, "keys", /a string; it must be a list/],
    ["api-key", { keys: ["short"] }, "keys[0]", /10 to 50/],
    ["api-key", { keys: [KEY, "with_underscore"] }, "keys[1]", /10 to 50/],
    ["api-key", { keys: ["a".repeat(51)] }, "keys[0]", /10 to 50/],
    ["api-key", { keys: [5] }, "keys[0]", /10 to 50/],
    ["api-key", { keys: [null] }, "keys[0]", /10 to 50/],
    ["api-key", { keys: [{ permissions: ["read"] }] }, "keys[0]", /10 to 50/],
    ["api-key", { keys: [{ key: KEY, permissions: ["admin"] }] }, "keys[0].permissions", /read, write/],
    ["api-key", { keys: [{ key: KEY, permissions: "read" }] }, "keys[0].permissions", /list/],
    // Misspelt, the key would be allowed to write.
    ["api-key", { keys: [{ key: KEY, permission: ["read"] }] }, "keys[0].permission", /Did you mean "permissions"/],
    ["api-key", { keys: [KEY, KEY] }, "keys", /twice/],
    ["api-key", { keys: [KEY, { key: KEY, permissions: ["read"] }] }, "keys", /twice/],
    ["api-key", { keys: [KEY], publicRoutes: "/health" }, "publicRoutes", /list of strings/],
    ["api-key", { keys: [KEY], publicRoutes: [""] }, "publicRoutes", /list of strings/],
    ["api-key", { keys: [KEY], publicRoutes: [5] }, "publicRoutes", /list of strings/],
    ["api-key", { keys: [KEY], publicRoutes: ["health"] }, "publicRoutes", /"health".*a path/],
    ["api-key", { keys: [KEY], publicRoutes: ["/health/"] }, "publicRoutes", /a path/],
    ["api-key", { keys: [KEY], publicRoutes: ["/"] }, "publicRoutes", /a path/],
    ["api-key", { keys: [KEY], publicRoutes: ["/a/../b"] }, "publicRoutes", /a path/],
    ["api-key", { keys: [KEY], publicRoute: [] }, "publicRoute", /Did you mean "publicRoutes"/],
    ["bearer", undefined, "token", /layer needs "token": .* Add "layers": .* to standin\.json\./],
    ["bearer", { token: "" }, "token", /string/],
    ["bearer", { token: 5 }, "token", /5; it must be a string/],
    ["bearer", { token: "two words" }, "token", /a string; it must be a string of visible ASCII/],
    ["bearer", { token: "tökén" }, "token", /visible ASCII/],
    ["bearer", { token: "abc", publicRoutes: ["x"] }, "publicRoutes", /a path/],
    ["bearer", { tokn: "abc", token: "abc" }, "tokn", /Did you mean "token"/],
    ["signed-token", undefined, "users", /layer needs "users": .* Add "layers": .* to standin\.json\./],
    ["signed-token", { users: [] }, "users", /list/],
    ["signed-token", { users: {} }, "users", /an object; it must be a list/],
    ["signed-token", { users: ["a@b.c"] }, "users[0]", /email and password/],
    ["signed-token", { users: [{ email: "a@b.c" }] }, "users[0]", /email and password/],
    ["signed-token", { users: [{ email: "", password: "x" }] }, "users[0]", /email and password/],
    ["signed-token", { users: [...USERS, { email: "x", password: "" }] }, "users[1]", /email and password/],
    ["signed-token", { users: [...USERS, ...USERS] }, "users", /twice/],
    ["signed-token", { users: [{ ...USERS[0], role: "admin" }] }, "users[0].role", /not a setting/],
    ["signed-token", { users: [{ ...USERS[0], id: true }] }, "users[0].id", /string or a number/],
    ["signed-token", { users: USERS, secret: "" }, "secret", /at least 32 bytes, but has 0/],
    ["signed-token", { users: USERS, secret: "x".repeat(31) }, "secret", /at least 32 bytes, but has 31/],
    ["signed-token", { users: USERS, secret: 5 }, "secret", /5; it must be a string/],
    ["signed-token", { users: USERS, secret: null }, "secret", /null; it must be a string/],
    ["signed-token", { users: USERS, expiresInSeconds: 0 }, "expiresInSeconds", /0; it must be a whole number from 1/],
    ["signed-token", { users: USERS, expiresInSeconds: "3600" }, "expiresInSeconds", /a string; it must/],
    ["signed-token", { users: USERS, expiresIn: 60 }, "expiresIn", /not a setting/],
    ["rate-limit", { limit: 0 }, "limit", /0; it must be a whole number from 1/],
    ["rate-limit", { limit: -1 }, "limit", /-1; it must/],
    ["rate-limit", { limit: 1.5 }, "limit", /1.5; it must/],
    ["rate-limit", { limit: "10" }, "limit", /a string; it must/],
    ["rate-limit", { windowSeconds: 0 }, "windowSeconds", /0; it must/],
    ["rate-limit", { windowSeconds: 1e9 }, "windowSeconds", /it must be a whole number from 1 to 86400/],
    ["rate-limit", { window: 60 }, "window", /not a setting/],
    ["latency", { minMs: -1 }, "minMs", /-1; it must be a whole number from 0/],
    ["latency", { maxMs: 2 ** 31 }, "maxMs", /it must be/],
    ["latency", { minMs: 10, maxMs: 5 }, "maxMs", /less than minMs/],
    ["latency", { min: 5 }, "min", /not a setting/],
    ["latency", { minMs: true }, "minMs", /true; it must/],
    ["cors", { allowHeaders: "X-API-KEY" }, "allowHeaders", /list of strings/],
    ["cors", { allowHeaders: ["X API"] }, "allowHeaders", /"X API".*no header name/],
    ["cors", { allowHeaders: ["a\r\nb"] }, "allowHeaders", /no header name/],
    ["cors", { origin: "*" }, "origin", /not a setting/],
    ["logger", { format: "dev" }, "format", /not a setting/],
  ];
  for (const [layer, values, key, reason] of cases) {
    test(`${layer} ${JSON.stringify(values) ?? "without settings"}: ${key}`, async () => {
      const message = await startMistake(layer, values);
      if (!message.startsWith("The ")) expect(message).toContain(`standin.json: "layers.${layer}.${key}"`);
      expect(message).toMatch(reason);
    });
  }

  for (const name of LAYER_NAMES) {
    for (const values of [[], "text", 5, true, null] as Json[]) {
      test(`layers.${name}: ${JSON.stringify(values)} is not an object`, () => {
        expect(() => settingsOf(name, values)).toThrow(`standin.json: "layers.${name}" is`);
      });
    }
  }
});

describe("a damaged hash is refused, so that it does not become the password", () => {
  const damaged: [name: string, password: string][] = [
    ["bcrypt, cut off", BCRYPT.slice(0, -1)],
    ["bcrypt, of a revision nobody reads", BCRYPT.replace("$2b$", "$2x$")],
    ["bcrypt, cost 03", BCRYPT.replace("$04$", "$03$")],
    ["bcrypt, cost 99", BCRYPT.replace("$04$", "$99$")],
    ["scrypt, cut off", "scrypt$16384$8$1$AAAA"],
    ["scrypt, N is no power of two", `scrypt$16383$8$1$${SCRYPT_TAIL}`],
    ["scrypt, N is 1", `scrypt$1$8$1$${SCRYPT_TAIL}`],
    ["scrypt, r is 0", `scrypt$16384$0$1$${SCRYPT_TAIL}`],
    ["scrypt, p is 0", `scrypt$16384$8$0$${SCRYPT_TAIL}`],
    ["scrypt, more memory than there is", `scrypt$${2 ** 40}$8$1$${SCRYPT_TAIL}`],
    ["scrypt, a short key", "scrypt$16384$8$1$AAAA$AAAA"],
  ];
  for (const [name, password] of damaged) {
    test(name, async () => {
      const message = await startMistake("signed-token", { users: [{ email: "a@b.c", password }] });
      expect(message).toContain('standin.json: "layers.signed-token.users[0].password"');
      expect(message).not.toContain(password.slice(8));
    });
  }

  for (const password of [BCRYPT, `scrypt$16384$8$1$${SCRYPT_TAIL}`, "plain", "$2 for a coffee", "scrypt"]) {
    test(`${password.slice(0, 12)} is fine`, async () => {
      const values = { users: [{ email: "a@b.c", password }], secret: SECRET };
      await createLayer("signed-token", settingsOf("signed-token", values), toolsWith());
    });
  }
});

describe("no message shows a secret", () => {
  const secrets = ["hidden-word", "h1dden-secret", "hidden word", "hidden_key_123"];
  const cases: [layer: LayerName, values: JsonObject][] = [
    ["api-key", { keys: ["hidden_key_123"] }],
    ["api-key", { keys: "hidden_key_123" }],
    ["api-key", { keys: [{ key: "hidden_key_123" }] }],
    ["bearer", { token: "hidden word" }],
    ["bearer", { token: ["hidden-word"] }],
    ["signed-token", { users: USERS, secret: "h1dden-secret" }],
    ["signed-token", { users: USERS, secret: ["h1dden-secret"] }],
    ["signed-token", { users: "hidden-word" }],
    ["signed-token", { users: [{ mail: "a", password: "hidden-word" }] }],
    ["signed-token", { users: [...USERS, ...USERS] }],
  ];
  for (const [layer, values] of cases) {
    test(`${layer} ${JSON.stringify(values)}`, async () => {
      const message = await startMistake(layer, values);
      for (const secret of secrets) expect(message).not.toContain(secret);
    });
  }
});

describe("on the command line", () => {
  const mistakes: [name: string, config: JsonObject, reason: RegExp][] = [
    [
      "a missing setting",
      { middlewares: ["api-key"] },
      /^The api-key layer needs "keys": a list of keys.* Add "layers": \{ "api-key": \{ "keys": \.\.\. \} \} to standin\.json\./,
    ],
    [
      "an unknown layer",
      { middlewares: ["api-kei"] },
      /^middlewares: there is no layer "api-kei"\. Did you mean "api-key"\? Layers are logger, cors/,
    ],
    ["a layer without its dash", { middlewares: ["ratelimit"] }, /Did you mean "rate-limit"\?/],
    ["a layer that is like none", { middlewares: ["helmet"] }, /no layer "helmet"\. Layers are/],
    [
      "a variable that is not set",
      { middlewares: ["bearer"], layers: { bearer: { token: { env: "NO_SUCH_VARIABLE" } } } },
      /standin\.json: layers\.bearer\.token: the environment variable NO_SUCH_VARIABLE is not set/,
    ],
    ["layers that are a list", { layers: [{ token: "hidden-word" }] }, /standin\.json: "layers" is .*an object/],
    ["an interceptor that is not there", { middlewares: ["./gone.js"] }, /middlewares: there is no file \.\/gone\.js/],
    ["an interceptor that exports nothing", { middlewares: ["./empty.cjs"] }, /empty\.cjs must export a function/],
    ["an interceptor with a list of texts", { middlewares: ["./texts.cjs"] }, /texts\.cjs must export a function/],
    ["an interceptor that is broken", { middlewares: ["./broken.cjs"] }, /broken\.cjs cannot be loaded: /],
    [
      "an interceptor that throws",
      { middlewares: ["./throwing.cjs"] },
      /throwing\.cjs cannot be loaded: line 1, column 7: on purpose/,
    ],
  ];
  const files = {
    "db.json": catalog(),
    "empty.cjs": "",
    "texts.cjs": 'module.exports = ["a"];',
    "broken.cjs": "module.exports = (",
    "throwing.cjs": 'throw new Error("on purpose");',
  };
  for (const [name, config, reason] of mistakes) {
    test(`${name}: a message that says so`, async () => {
      const folder = createFolder({ ...files, "standin.json": config });
      const start = async (): Promise<void> => {
        const { options, configFile } = resolveServeOptions([], folder);
        const middlewares = options.middlewares?.map((entry) => entry.replace(/^\.\//, `${folder}/`));
        await createSteps({ ...options, middlewares, place: configFile ?? "" }, silentReporter, toolsWith());
      };
      const failure = await start().catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: "StartError" });
      const message = (failure as Error).message.replaceAll(`${folder}/`, "./");
      expect(message).toMatch(reason);
      expect(message).not.toMatch(/hidden-word|\n/);
    });
  }

  test("by the command line: one line, exit code 1, and nothing served", async () => {
    for (const [, config, reason] of [mistakes[0]!, mistakes[1]!, mistakes.at(-1)!]) {
      const folder = createFolder({ ...files, "standin.json": { port: 0, ...config } });
      const { exit, output } = runKept(["db.json"], folder);
      expect(await exit).toBe(1);
      expect(output.stderr.replace(/^standin: /, "")).toMatch(reason);
      expect(output.stderr.trim().split("\n")).toHaveLength(1);
      expect(output.stdout).toBe("");
    }
  });

  test("settings for a layer that is not listed, or is none, are warned of; the server starts", async () => {
    const config = { middlewares: ["logger"], layers: { bearer: { token: "abc" }, baerer: {}, zzz: {} } };
    const served = await serveKept(["db.json"], createFolder({ "db.json": catalog(), "standin.json": config }));
    expect((await fetch(`${served.url}/products`)).status).toBe(200);
    await served.stop();
    const { stdout } = served.output;
    expect(stdout).toMatch(/warning "layers\.bearer" has settings, but "bearer" is not in middlewares/);
    expect(stdout).toMatch(/warning "layers\.baerer" is not a layer\. Did you mean "bearer"\?/);
    expect(stdout).toMatch(/warning "layers\.zzz" is not a layer\.$/m);
  });

  test("the start shows what is listed, in its order; --middlewares lists layers, too", async () => {
    const folder = createFolder({ "db.json": catalog(), "own.cjs": "module.exports = (req, res, next) => next();" });
    const served = await serveKept(["db.json", "--middlewares", "cors", "./own.cjs", "latency,logger"], folder);
    await served.stop();
    expect(served.output.stdout).toMatch(
      /Layers, in this order\n {2}cors\n {2}\.\/own\.cjs \(interceptor\)\n {2}latency\n {2}logger\n/,
    );
  });

  test("keys and tokens from the environment", async () => {
    const config = {
      middlewares: ["api-key", "bearer"],
      layers: {
        "api-key": { keys: [{ env: "FIRST_KEY" }, { key: { env: "SECOND_KEY" }, permissions: ["read"] }] },
        bearer: { token: { env: "THE_TOKEN" } },
      },
    };
    const folder = createFolder({ "db.json": catalog(), "standin.json": config });
    const env = { FIRST_KEY: KEY, SECOND_KEY: "reader-0123456789", THE_TOKEN: "t0ken" };
    const served = await serveKept(["db.json"], folder, env);
    const ask = async (key: string, method = "GET") =>
      (
        await fetch(`${served.url}/products/1`, {
          method,
          headers: { "X-API-KEY": key, Authorization: "Bearer t0ken" },
        })
      ).status;
    expect([await ask(KEY), await ask("reader-0123456789"), await ask("reader-0123456789", "DELETE")]).toEqual([
      200, 200, 403,
    ]);
    await served.stop();
  });
});

describe("standin secret", () => {
  test("api-key prints a key that the layer takes, with the prefix asked for", async () => {
    for (const args of [[], ["--prefix", "csharp".padEnd(17, "-")]]) {
      const { exit, output } = runKept(["secret", "api-key", ...args], createFolder());
      expect(await exit).toBe(0);
      const key = output.stdout.trim();
      expect(key.startsWith(args[1] ?? "key-")).toBe(true);
      await createLayer("api-key", settingsOf("api-key", { keys: [key] }), toolsWith());
    }
  });

  test("token prints a secret that the layer takes", async () => {
    const { exit, output } = runKept(["secret", "token"], createFolder());
    expect(await exit).toBe(0);
    const values = { users: USERS, secret: output.stdout.trim() };
    await createLayer("signed-token", settingsOf("signed-token", values), toolsWith());
  });

  const wrong: [args: string[], reason: RegExp][] = [
    [[], /password, api-key or token, but was given nothing/],
    [["api-key", "more"], /one argument/],
    [["api-key", "--prefix", "not allowed"], /letters, digits and dashes/],
    [["password"], /No password on standard input/],
  ];
  for (const [args, reason] of wrong) {
    test(`secret ${args.join(" ")}: exit code 1`, async () => {
      const { child, exit, output } = runCli(["secret", ...args], createFolder());
      child.stdin?.end();
      expect(await exit).toBe(1);
      expect(output.stderr).toMatch(reason);
      expect(output.stderr.trim().split("\n")).toHaveLength(1);
    });
  }
});
