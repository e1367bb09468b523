import express from "express";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AccessEntry } from "../../src/base/reporter.ts";
import { maskBody } from "../../src/base/secrets/mask-body.ts";
import { maskAddress, maskText } from "../../src/base/secrets/mask-text.ts";
import { isSecretName } from "../../src/base/secrets/secret-name.ts";
import { createReporter, type Terminal } from "../../src/commands/terminal.ts";
import { createStandin } from "../../src/index.ts";
import { defaults } from "../../src/json-server/module.ts";
import { openStore } from "../../src/store/open-store.ts";
import { askAt, startApi } from "../support/api.ts";
import { openHosted } from "../support/hosted.ts";
import { startLayered } from "../support/layers.ts";
import { askRaw } from "../support/raw.ts";

const SECRET = "hidden-0123456789";
/** Names as people write them. */
const SECRETS =
  "token api_key apikey apiKey APIKey API-KEY X-API-Key password user[password] newPassword userpassword passwd pwd pass db_pass " +
  "key access_key privateKey private.key sig X-Amz-Signature signature jwt JWTToken auth auth_code x-auth authorization Authorization " +
  "session session_id sessionId sid PHPSESSID JSESSIONID secret client_secret clientSecret secrets credential credentials oauth2 " +
  "accesstoken refreshToken csrf_token xsrf tokens cookie otp key_like token_ne passWord";
const OPEN =
  "author author_id authorId coauthor keyboard monkey hotkey keyword tokenizer secretary design assign signal signed insignia " +
  "passenger compass passport bypass obsession possession id name q _page _limit authored inauthentic";

describe("whole words decide what is a secret", () => {
  for (const name of SECRETS.split(" ")) test(`${name} is one`, () => expect(isSecretName(name)).toBe(true));
  for (const name of OPEN.split(" ")) {
    test(`${name} is none`, () => expect(isSecretName(name)).toBe(false));
  }
});

describe("request lines", () => {
  const addresses: [sent: string, shown: string][] = [
    ["/products?token=SECRET", "/products?token=..."],
    ["/products?x=1&api_key=SECRET&_limit=1", "/products?x=1&api_key=...&_limit=1"],
    ["/products?password=SECRET", "/products?password=..."],
    [
      "/products?sig=SECRET&jwt=SECRET&auth=SECRET&session=SECRET&key=SECRET",
      "/products?sig=...&jwt=...&auth=...&session=...&key=...",
    ],
    ["/products?author=me&author_id=1", "/products?author=me&author_id=1"],
    ["/products?token=a;SECRET,SECRET", "/products?token=..."],
    ["/products?tok%65n=SECRET", "/products?tok%65n=..."],
    ["/products?tok%65n%zz=SECRET", "/products?tok%65n%zz=..."],
    ["/products?user[password]=SECRET", "/products?user[password]=..."],
    ["/products?x=1;token=SECRET", "/products?x=1;token=..."],
    ["/products?x=1#access_token=SECRET", "/products?x=1#access_token=..."],
    ["/products;jsessionid=SECRET?x=1", "/products;jsessionid=...?x=1"],
    ["/products?back=https%3A%2F%2Fa%2F%3Ftoken%3DSECRET", "/products?back=..."],
    ["/products?back=%252F%253Ftoken%253DSECRET", "/products?back=..."],
    ["http://user:SECRET@localhost/products?token=SECRET", "http://user:...@localhost/products?token=..."],
    ["/products?q=key", "/products?q=key"],
    ["/tokens/9f8c2b7a1d3e4f50/uses", "/tokens/.../uses"],
    ["/tokens/mine?x=1", "/tokens/mine?x=1"],
    ["/confirm/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl?x=1", "/confirm/...?x=1"],
    ["/hooks/sk_live_4eC39HqLyjWDarjtT1", "/hooks/..."],
  ];

  for (const [sent, shown] of addresses) {
    test(`${sent} is shown as ${shown}`, async () => {
      expect(maskAddress(sent.replaceAll("SECRET", SECRET))).toBe(shown);
    });
  }

  test("of data, through layers and through interceptors", async () => {
    for (const middlewares of [[], ["logger"], ["test/fixtures/middlewares/pass.cjs"]]) {
      const api = await startLayered({ middlewares });
      for (const [sent] of addresses) await askRaw(api.port, `GET ${sent.replaceAll("SECRET", SECRET)}`);
      await vi.waitFor(() => expect(api.requests).toHaveLength(addresses.length));
      expect(api.requests.map(({ url }) => url)).toEqual(addresses.map(([, shown]) => shown));
    }
  });

  test("of hosted mode", async () => {
    const lines: AccessEntry[] = [];
    const hosted = await openHosted(undefined, 1, (entry) => lines.push(entry));
    onTestFinished(() => hosted.close());
    await hosted.ask(`GET /anything?key=${SECRET}`);
    await vi.waitFor(() => expect(lines.map(({ url }) => url)).toEqual(["/anything?key=..."]));
  });

  test("of json-server's module API", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const app = express().use(defaults());
    const server = app.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await askRaw(port, `GET /products?token=${SECRET}`);
    await vi.waitFor(() => expect(log).toHaveBeenCalledOnce());
    expect(log.mock.calls[0]![0]).toMatch(/^GET \/products\?token=\.\.\. 404 /);
  });
});

describe("the traffic log", () => {
  interface Entry {
    readonly url: string;
    readonly rewritten?: string;
    readonly requestBody: string;
    readonly responseBody: string;
    readonly requestHeaders: Record<string, string>;
    readonly responseHeaders: Record<string, string>;
  }

  async function loggedAfter(ask: (api: Awaited<ReturnType<typeof startApi>>) => Promise<unknown>): Promise<Entry[]> {
    const api = await startApi({ routes: { "/short/:word": "/products?token=:word" } });
    await api.ask("GET /__requests");
    await ask(api);
    const answer = await api.ask("GET /__requests");
    expect(answer.text).not.toContain(SECRET);
    return (answer.body as { requests: Entry[] }).requests;
  }

  test("masks every field of the list in bodies, and leaves others readable", async () => {
    const names = ["key", "sig", "jwt", "auth", "session", "authorization", "apikey", "password", "credentials"];
    const body = Object.fromEntries(names.map((name) => [name, name === "credentials" ? [{ x: SECRET }] : SECRET]));
    const [entry] = await loggedAfter((api) =>
      api.ask("POST /products", {
        body: { ...body, author: "Ann", nested: [{ userToken: SECRET, keyboard: "qwerty" }] },
      }),
    );
    const shown = { ...Object.fromEntries(names.map((name) => [name, "..."])), author: "Ann" };
    const nested = [{ userToken: "...", keyboard: "qwerty" }];
    expect(JSON.parse(entry!.requestBody)).toEqual({ ...shown, nested });
    expect(JSON.parse(entry!.responseBody)).toMatchObject({ ...shown, nested });
  });

  test("masks what stands in texts: addresses, JSON in JSON, header lines", async () => {
    const [entry] = await loggedAfter((api) =>
      api.ask("POST /products", {
        body: {
          next: `https://api.test/?x=1&token=${SECRET}&y=2`,
          raw: JSON.stringify({ password: SECRET, name: "Ann" }),
          header: `Authorization: Bearer ${SECRET}`,
          database: `postgres://ann:${SECRET}@db/shop`,
        },
      }),
    );
    expect(JSON.parse(entry!.requestBody)).toEqual({
      next: "https://api.test/?x=1&token=...&y=2",
      raw: '{"password":"...","name":"Ann"}',
      header: "Authorization: Bearer ...",
      database: "postgres://ann:...@db/shop",
    });
  });

  test("masks broken and cut bodies, and shows what comes before", async () => {
    const bodies: [sent: string, shown: string][] = [
      [`{"name":"Ann","sig":"SECRET`, `{"name":"Ann","sig":"..."`],
      [`{"name":"Ann","auth":{"x":"SECRET"}, broken`, `{"name":"Ann","auth":"...", broken`],
      [`{"s\\u0069g":"SECRET"`, `{"s\\u0069g":"..."`],
      [`{'name': 'Ann', 'jwt': 'SECRET'}`, `{'name': 'Ann', '...`],
      [`{name: "Ann", session: "SECRET"}`, `{name: "Ann", ...`],
    ];
    for (const [sent, shown] of bodies) expect(maskBody(sent.replace("SECRET", SECRET))).toBe(shown);
    await loggedAfter(async (api) => {
      for (const [sent] of bodies) await api.ask("POST /products", { body: sent.replace("SECRET", SECRET) });
      await api.ask("POST /products", { body: `{"long":"${"n".repeat(4000)}","key":"${SECRET.repeat(40)}"}` });
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      await api.ask("POST /products", { headers, body: `name=Ann&user[key]=${SECRET}` });
    });
  });

  test("masks addresses before and after rewriting, links, and headers", async () => {
    const [first, second] = await loggedAfter(async (api) => {
      await api.ask(`GET /products?_page=1&_limit=1&sig=${SECRET}`, {
        headers: {
          Referer: `http://a/?jwt=${SECRET}`,
          "X-Signature": SECRET,
          "X-JWT": SECRET,
          "X-Original-URL": `/x?key=${SECRET}`,
          "X-Author": "Ann",
        },
      });
      await api.ask(`GET /short/word?session=${SECRET}`);
    });
    expect(first!.url).toBe("/products?_page=1&_limit=1&sig=...");
    expect(first!.responseHeaders.link).toContain("sig=...");
    expect(first!.requestHeaders).toMatchObject({ "x-author": "Ann", "x-original-url": "/x?key=..." });
    expect(second).toMatchObject({ url: "/short/word?session=...", rewritten: "/products?token=...&session=..." });
  });
});

describe("the terminal", () => {
  function shownBy(report: (reporter: ReturnType<typeof createReporter>) => void): string {
    const lines: string[] = [];
    const terminal = {
      print: (text = "") => void lines.push(text),
      error: (text: string) => void lines.push(text),
      style: (_style: string, text: string) => text,
    } as unknown as Terminal;
    report(createReporter(terminal, false));
    return lines.join("\n");
  }

  test("masks the errors of interceptors, and keeps their stacks readable", () => {
    const error = new Error(`GET http://a/x?token=${SECRET} failed with { password: '${SECRET}' }\napi_key: ${SECRET}`);
    const shown = shownBy((reporter) => reporter.fault("The interceptor ./auth.js failed.", error));
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain("GET http://a/x?token=... failed with { password: '...' }");
    expect(shown).toContain("./auth.js failed");
    expect(shown).toMatch(/secrets-are-shown-nowhere\.test\.ts:\d+:\d+/);
  });

  test("masks warnings", () => {
    const shown = shownBy((reporter) =>
      reporter.warn(`http://a/?sig=${SECRET} and http://ann:${SECRET}@b cannot be used`),
    );
    expect(shown).toContain("http://a/?sig=... and http://ann:...@b cannot be used");
  });

  test("says nothing else than before where there is no secret", () => {
    for (const text of [
      "api-key: an unknown key was refused; it begins with guess",
      'standin.json: "layers.signed-token.secret" needs at least 32 bytes, but has 9. Generate one: standin secret token',
      "standin.json: layers.api-key.keys[0].key: the environment variable SHOP_KEY is not set.",
      "--private needs a key: add --api-key <key>, or set STANDIN_API_KEY in the environment.",
    ]) {
      expect(maskText(text)).toBe(text);
    }
  });
});

test("a source with a secret in its address is shown without it", async () => {
  const source = await startApi({ data: { products: [{ id: 1 }] } });
  const api = await createStandin({ source: `${source.url}/db?token=${SECRET}` });
  onTestFinished(() => api.close());
  const overview = await askAt(api.url, "GET /__overview");
  expect(overview.text).toContain("/db?token=... is never written");
  const options = { idKey: "id", durability: "process", followsOutside: false, memory: true, warn() {} } as const;
  const failing = openStore(`${source.url}/nothing?token=${SECRET}`, options);
  await expect(failing).rejects.toThrow(/nothing\?token=\.\.\. cannot be loaded/);
});

describe("masking takes time in proportion to the text", () => {
  const pieces = [
    "=",
    "token=",
    "a:",
    "token",
    "://",
    "%",
    '"',
    '{"a":',
    "a@",
    ";",
    "Bearer ",
    "aB",
    'key:"',
    "\\",
    "key='",
    "token:",
    "token:\\",
    "token:a",
    "token: \\",
    "%74oken:",
    "token%3A",
    "%:",
    "&a=%ff",
  ];
  const masks = { maskAddress, maskText, maskBody, report: (text: string) => maskText(text, true) };
  for (const [name, mask] of Object.entries(masks)) {
    test(name, () => {
      /** In microseconds of this process, so that others on the machine do not count. */
      const timeOf = (piece: string, length: number): number => {
        const repeated = piece.repeat(length / piece.length);
        const before = process.cpuUsage();
        for (const text of [`{${repeated}`, `/?a=token:${repeated} x`]) mask(text);
        return process.cpuUsage(before).user;
      };
      for (const piece of pieces) {
        timeOf(piece, 2000);
        // 32 times the text: a scan that goes over the same text again and again would take 1024 times as long.
        const most = Math.max(1000, timeOf(piece, 2000)) * 200;
        // The garbage collector may spoil one measurement, but not three.
        let time = timeOf(piece, 64_000);
        for (let again = 0; again < 2 && time >= most; again++) time = timeOf(piece, 64_000);
        expect(time, piece).toBeLessThan(most);
      }
    });
  }
});
