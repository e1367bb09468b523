import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Upstream } from "../../../src/features/record/proxy/upstream.ts";
import { UpstreamProxy } from "../../../src/features/record/proxy/upstream-proxy.ts";
import { LocalCall } from "../../../src/http/local-call.ts";
import { DEFAULT_SETTINGS } from "../../../src/http/settings.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt, codeOf } from "../../support/api.ts";
import { createPair } from "../../support/certificates.ts";
import { readEvents } from "../../support/event-reader.ts";
import { askRaw, exchangeBytes } from "../../support/raw.ts";
import { ENCODED_BODY, type OddUpstream, startOddUpstream } from "./odd-upstream.ts";

let api: OddUpstream;
let standin: Standin;

beforeAll(async () => {
  api = await startOddUpstream();
  standin = await createStandin({
    data: { products: [{ id: 1, name: "Hat" }] },
    fallback: api.url,
    fallbackWrites: true,
    header: ["X-Key: own-key"],
    origin: ["https://app.test"],
  });
});

afterAll(async () => {
  await standin.close();
  await api.close();
});

const ask = (line: string, options = {}) => askAt(standin.url, line, options);
const latest = () => api.seen.at(-1);
const sent = (name: string): string[] =>
  latest()?.headers.flatMap(([one, value]) => (one.toLowerCase() === name ? [value] : [])) ?? [];

describe("a request to the real API", () => {
  test("has the host and origin of the real API, the headers of --header, and none of the connection", async () => {
    await ask("GET /x?a=%20b&a=2", {
      headers: {
        Origin: "http://localhost:5173",
        Referer: "http://localhost:5173/page?token=1",
        "X-Key": "client-key",
        "X-Other": "1",
        Connection: "close, X-Hop",
        "X-Hop": "1",
        "Accept-Encoding": "zstd, gzip;q=0.5",
      },
    });
    expect(latest()).toMatchObject({ method: "GET", url: "/x?a=%20b&a=2" });
    expect(sent("host")).toEqual([new URL(api.url).host]);
    expect(sent("origin")).toEqual([api.url]);
    expect(sent("referer")).toEqual([`${api.url}/`]);
    expect(sent("x-key")).toEqual(["own-key"]);
    expect(sent("x-other")).toEqual(["1"]);
    expect(sent("accept-encoding")).toEqual(["gzip;q=0.5"]);
    expect([...sent("x-hop"), ...sent("transfer-encoding"), ...sent("content-length")]).toEqual([]);
  });

  test("keeps duplicate headers and unusual methods, and maps cookies back", async () => {
    await askRaw(standin.port, "PROPFIND /x", [
      "X-Two: 1",
      "X-Two: 2",
      "Cookie: a=1; standin-host-b=2; standin-secure-c=3",
    ]);
    expect(latest()?.method).toBe("PROPFIND");
    expect(sent("x-two")).toEqual(["1", "2"]);
    expect(sent("cookie")).toEqual(["a=1; __Host-b=2; __Secure-c=3"]);
  });

  test.each([
    ["with a length", ["Content-Length: 5"], "hello", "hello"],
    ["in chunks", ["Transfer-Encoding: chunked"], "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"],
    ["that is empty", [], "", ""],
  ])("has a body %s", async (_, headers, bytes, body) => {
    const { status } = await askRaw(standin.port, "POST /x", [...headers, "Content-Type: text/plain"], bytes);
    expect([status, latest()?.body]).toEqual([200, body]);
  });

  test("keeps its method where a header asks for another", async () => {
    await ask("POST /x", { headers: { "X-HTTP-Method-Override": "DELETE" }, body: "{}" });
    expect(latest()).toMatchObject({ method: "POST", body: "{}" });
  });
});

describe("a response of the real API", () => {
  test.each(["gzip", "br", "deflate"])("in %s arrives as the bytes that were sent", async (encoding) => {
    const direct = await askAt(api.url, `GET /encoded/${encoding}`);
    const { bytes, headers } = await ask(`GET /encoded/${encoding}`);
    expect(bytes.equals(direct.bytes)).toBe(true);
    expect(headers.get("content-encoding")).toBe(encoding);
    expect(headers.get("x-standin-from")).toBe("upstream");
    // The log shows the text.
    const logged = async () => {
      const { requests } = (await ask("GET /__requests")).body as { requests: { url: string; responseBody: string }[] };
      return requests.find(({ url }) => url === `/encoded/${encoding}`)?.responseBody;
    };
    await expect.poll(logged).toBe(ENCODED_BODY.slice(0, 4096));
  });

  test("in chunks and to HEAD", async () => {
    expect((await ask("GET /chunks")).text).toBe("one two three");
    const { status, text, headers } = await ask("HEAD /encoded/gzip");
    expect([status, text, headers.get("content-encoding")]).toEqual([200, "", "gzip"]);
  });

  test("of events arrives as they come", async () => {
    const stream = await readEvents(`${standin.url}/events`);
    expect(await stream.atLeast(1)).toMatchObject([{ data: 1 }]);
    stream.close();
  });

  test("has cookies of this server, and duplicate headers", async () => {
    const { headers } = await fetch(`${standin.url}/cookies`);
    expect(headers.getSetCookie()).toEqual(["sid=1; HttpOnly; SameSite=Lax", "standin-host-a=2; Path=/"]);
    expect(headers.get("x-twice")).toBe("1, 2");
  });

  test("redirects to this server, unless it leads away; its own cross-origin headers are replaced", async () => {
    const { status, headers } = await ask("GET /redirect/here", { headers: { Origin: "https://app.test" } });
    expect(status).toBe(302);
    expect(headers.get("location")).toBe(`${standin.url}/v1/b?c=1`);
    expect(headers.get("link")).toBe(`<${standin.url}/v1/p?page=2>; rel="next", <https://elsewhere.test/>; rel="help"`);
    expect(headers.get("access-control-allow-origin")).toBe("https://app.test");
    expect(headers.get("access-control-expose-headers")).toContain("X-Standin-From");
    expect([headers.get("strict-transport-security"), headers.get("alt-svc")]).toEqual([null, null]);
    expect((await ask("GET /redirect/away")).headers.get("location")).toBe("https://elsewhere.test/a");
  });

  test("has no headers of the connection", async () => {
    expect((await ask("GET /x")).headers.get("x-gone")).toBeNull();
  });

  test("that is cut off ends the connection", async () => {
    const text = await exchangeBytes(standin.port, "GET /cut HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(text).toContain("200");
    expect(text.endsWith("half")).toBe(true);
  });
});

describe("who may use it", () => {
  test.each([
    ["GET", "/products", {}],
    ["GET", "/x", {}],
    ["OPTIONS", "/x", { "Access-Control-Request-Method": "GET" }],
  ])("%s %s of a page from elsewhere is 403", async (method, path, headers) => {
    const before = api.seen.length;
    const answer = await ask(`${method} ${path}`, { headers: { Origin: "https://evil.test", ...headers } });
    expect([answer.status, codeOf(answer)]).toEqual([403, "CROSS_ORIGIN"]);
    expect((await ask(`${method} ${path}`, { headers: { Origin: "null", ...headers } })).status).toBe(403);
    expect(api.seen.length).toBe(before);
  });

  test.each(["http://localhost:5173", "http://127.0.0.1", "http://[::1]:80", "http://a.localhost", "https://app.test"])(
    "a page from %s may, and preflights are answered here",
    async (Origin) => {
      const before = api.seen.length;
      const preflight = await ask("OPTIONS /x", { headers: { Origin, "Access-Control-Request-Method": "PUT" } });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, Origin]);
      expect(api.seen.length).toBe(before);
      expect((await ask("GET /x", { headers: { Origin } })).status).toBe(200);
    },
  );

  test.each(["/x", "/products", "/__requests"])("a foreign Host is refused at %s", async (path) => {
    const answer = await ask(`GET ${path}`, { headers: { Host: "evil.test" } });
    expect([answer.status, codeOf(answer)]).toEqual([403, "HOST_FORBIDDEN"]);
  });

  test.each([
    [{ fallback: "ftp://api.test" }, /--fallback: "ftp:\/\/api\.test" is not the address of an API/],
    [{ fallback: "https://ann:pw@api.test" }, /must not contain a user or a password/],
    [
      { fallback: "http://api.test", header: ["Authorization Bearer hidden-1"] },
      /--header: "Authorization Bearer hidden-1" is not a header/,
    ],
    [{ fallback: "http://api.test", origin: ["app"] }, /--origin: "app" is not an origin/],
    [{ upstream: "http://api.test" }, /--upstream judges traffic by an OpenAPI document/],
    [{ upstream: "http://api.test", fallback: "http://api.test" }, /Remove one/],
  ])("%j does not start", async (options, message) => {
    await expect(createStandin({ data: {}, ...options })).rejects.toThrow(message);
  });
});

describe("a real API that does not respond", () => {
  test("is 502 where nothing listens", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await using other = await createStandin({ data: {}, fallback: `http://127.0.0.1:${port}` });
    const answer = await askAt(other.url, "GET /x");
    expect([answer.status, codeOf(answer)]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
    expect(answer.text).toContain("ECONNREFUSED");
  });

  test("is 502 where its certificate is not trusted, unless --insecure accepts it; {env:NAME} is read", async () => {
    const secure = createSecureServer(await createPair(), (req, res) => res.end(req.headers["x-key"])).listen(0);
    await once(secure, "listening");
    process.env.STANDIN_TEST_TOKEN = "from-outside";
    onTestFinished(() => {
      secure.close();
      delete process.env.STANDIN_TEST_TOKEN;
    });
    const fallback = `https://localhost:${(secure.address() as AddressInfo).port}`;
    await using strict = await createStandin({ data: {}, fallback });
    const answer = await askAt(strict.url, "GET /x");
    expect([answer.status, codeOf(answer)]).toEqual([502, "UPSTREAM_UNAVAILABLE"]);
    expect(answer.text).toContain("--insecure");
    const header = ["X-Key: {env:STANDIN_TEST_TOKEN}"];
    await using lenient = await createStandin({ data: {}, fallback, header, insecure: true });
    expect((await askAt(lenient.url, "GET /x")).text).toBe("from-outside");
  });

  test("is 504 where it is silent", async () => {
    const upstream = new Upstream({ address: api.url, option: "--fallback", timeoutMs: 50 });
    onTestFinished(() => upstream.close());
    const proxy = new UpstreamProxy({ upstream, maxCopyBytes: 1000, isRecorded: false });
    const call = LocalCall.at("http://localhost", { method: "GET", path: "/hang" }, DEFAULT_SETTINGS);
    await expect(proxy.forward(call)).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  });

  test("is 508 where it leads back here", async () => {
    const loop = createServer().listen(0, "127.0.0.1");
    await once(loop, "listening");
    const { port } = loop.address() as AddressInfo;
    await using other = await createStandin({ data: {}, fallback: `http://127.0.0.1:${port}` });
    // Passes everything back, byte by byte.
    loop.removeAllListeners("connection").on("connection", (socket) => {
      const back = connect(other.port, "127.0.0.1");
      socket.pipe(back).pipe(socket);
      for (const end of [socket, back]) end.on("error", () => end.destroy());
    });
    const answer = await askAt(other.url, "GET /x");
    expect([answer.status, codeOf(answer)]).toEqual([508, "UPSTREAM_LOOP"]);
    loop.close();
  });
});
