import { expect, test } from "vitest";
import { redactExchange, redactKnown } from "../../../src/features/record/redact/redact-exchange.ts";
import { Redactor } from "../../../src/features/record/redact/redactor.ts";
import type { Exchange, HeaderField } from "../../../src/http/exchange.ts";

interface Sent extends Partial<Omit<Exchange, "requestHeaders" | "responseHeaders">> {
  readonly requestHeaders?: readonly HeaderField[];
  readonly responseHeaders?: readonly HeaderField[];
}

const exchange = (sent: Sent): Exchange => ({
  startedAt: 0,
  method: "GET",
  url: "/",
  requestHeaders: [],
  requestBody: undefined,
  status: 200,
  responseHeaders: [],
  responseBody: undefined,
  mediaType: "application/json",
  ...sent,
});

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
const redacted = "redacted-[0-9a-f]{8}";

/** A body of JSON, redacted and read again. */
function redactJson(value: unknown, words: string[] = [], url = "/"): unknown {
  const sent = exchange({ url, responseBody: JSON.stringify(value) });
  return JSON.parse(redactExchange(sent, new Redactor("key", words)).responseBody ?? "null");
}

const matching = (pattern: string): unknown => expect.stringMatching(new RegExp(`^${pattern}$`));

test.each<[string, unknown, unknown]>([
  ["a password", { password: "hunter2" }, { password: matching(redacted) }],
  [
    "all of a secret object",
    { auth: { login: "ann", n: 1234 } },
    { auth: { login: matching(redacted), n: expect.any(Number) } },
  ],
  ["secrets of a list", { tokens: ["abc", "def"] }, { tokens: [matching(redacted), matching(redacted)] }],
  ["a number by a number", { pin: 1234 }, { pin: expect.any(Number) }],
  [
    "a UUID by a UUID",
    { token: "3f2b8c1e-0d4a-4b6e-9f10-aabbccddeeff" },
    { token: matching("[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}") },
  ],
  ["an e-mail address by one", { apiKey: "ann@corp.test" }, { apiKey: matching(`${redacted}@example.com`) }],
  ["a JWT in any field", { note: `see ${JWT}.` }, { note: matching(`see ${redacted}\\.`) }],
  ["a card number in any text", { note: "paid with 4111 1111 1111 1111" }, { note: matching(`paid with ${redacted}`) }],
  ["a card number as a number", { n: 4111111111111111 }, { n: expect.not.stringMatching("4111111111111111") }],
  [
    "the password in an address",
    { link: "https://ann:pw12345@h.test/a" },
    { link: matching(`https://ann:${redacted}@h\\.test/a`) },
  ],
  [
    "a token in an address",
    { next: "https://h.test/a?token=abc&page=2" },
    { next: matching(`https://h\\.test/a\\?token=${redacted}&page=2`) },
  ],
  [
    "base64 of a secret",
    { blob: Buffer.from('{"password":"hunter2"}').toString("base64") },
    { blob: matching(redacted) },
  ],
  [
    "a private key",
    { pem: "-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----\n" },
    { pem: matching(`${redacted}\\n`) },
  ],
  [
    "JSON in a text",
    { raw: '{"secret": "hunter2", "a": 1}' },
    { raw: matching(`\\{"secret": "${redacted}", "a": 1\\}`) },
  ],
  ["a JWT as a name", { [JWT]: 1 }, { [new Redactor("key").take(JWT, "")]: 1 }],
])("redacts %s", (_, value, outcome) => {
  expect(redactJson(value)).toEqual(outcome);
});

test.each<[string, unknown]>([
  ["what is true, false, null or empty", { hasPassword: true, token: null, secret: "" }],
  ["times and names of schemes", { token_expires: "2026-01-02T03:04:05Z", token_type: "Bearer" }],
  ["e-mail addresses and telephone numbers", { email: "ann@corp.test", phone: "+1 555 0100" }],
  ["the records of a list with a secret name", { sessions: [{ id: 1, title: "Yoga at noon" }] }],
  ["long numbers without a check digit", { id: 4111111111111112, at: 1700000000000 }],
  ["words and addresses", { author: "Ann", keyboard: "qwerty", site: "https://h.test/a?page=2#top" }],
])("leaves %s", (_, value) => {
  expect(redactJson(value)).toEqual(value);
});

test("tokens that turn pages are no secrets", () => {
  const body = { nextPageToken: "c.3", continuation_token: "c.4", next_token: "c.5" };
  expect(redactJson(body)).toEqual(body);
  expect(new Redactor("key").search("pageToken=c.3")).toBe("pageToken=c.3");
});

test("numbers beyond a double stay exact", () => {
  const { responseBody } = redactExchange(exchange({ responseBody: '{"id":90071992547409931}' }), new Redactor("key"));
  expect(responseBody).toBe('{"id":90071992547409931}');
});

test("--redact email,phone replaces these fields, and addresses in texts", () => {
  const value = { email: "ann@corp.test", workPhones: ["+1 555 0100"], note: "write to bob@corp.test" };
  expect(redactJson(value, ["email", "phone"])).toEqual({
    email: matching(`${redacted}@example.com`),
    workPhones: [matching(redacted)],
    note: matching(`write to ${redacted}@example.com`),
  });
});

test("the response of a token endpoint loses everything that looks drawn at random", () => {
  expect(redactJson({ value: "abcdef0123456789abcd", user: "ann" }, [], "/oauth/token")).toEqual({
    value: matching(redacted),
    user: "ann",
  });
});

test("headers: credentials keep their scheme, cookies their names and attributes, redirects their address", () => {
  const { requestHeaders, responseHeaders } = redactExchange(
    exchange({
      requestHeaders: [
        ["Authorization", "Bearer abcdefgh12345678"],
        ["X-Api-Key", "k-123456789"],
        ["Cookie", "sid=s3cr3t-value; theme=dark0000"],
        ["Accept", "*/*"],
      ],
      responseHeaders: [
        ["Set-Cookie", "sid=s3cr3t-value; Path=/; HttpOnly"],
        ["Location", "https://app.test/cb?state=1#access_token=abc&token_type=bearer"],
        ["Access-Control-Allow-Credentials", "true"],
      ],
    }),
    new Redactor("key"),
  );
  expect(requestHeaders.map(([, value]) => value)).toEqual([
    matching(`Bearer ${redacted}`),
    matching(redacted),
    matching(`sid=${redacted}; theme=${redacted}`),
    "*/*",
  ]);
  expect(responseHeaders.map(([, value]) => value)).toEqual([
    matching(`sid=${redacted}; Path=/; HttpOnly`),
    matching(`https://app\\.test/cb\\?state=1#access_token=${redacted}&token_type=bearer`),
    "true",
  ]);
});

test("addresses: parameters, segments below a secret name, and values that are secret elsewhere", () => {
  const redactor = new Redactor("key");
  const { url } = redactExchange(
    exchange({
      url: `/reset-password/abcdef0123456789/x?api_key=k1&q=${JWT}&back=%2Flogin%3Ftoken%3Dabc&v=hunter2%2Bhunter2`,
      requestBody: "user=ann&password=hunter2%2Bhunter2",
      requestHeaders: [["Content-Type", "application/x-www-form-urlencoded"]],
    }),
    redactor,
  );
  expect(url).toMatch(
    new RegExp(`^/reset-password/${redacted}/x\\?api_key=${redacted}&q=${redacted}&back=${redacted}&v=${redacted}$`),
  );
  expect(redactor.counts.get("password")).toBe(1);
});

test("a path names a record by its key after that is replaced, before and after it was seen", () => {
  const redactor = new Redactor("key");
  const before = redactExchange(exchange({ url: "/flags/beta/rules?page=1" }), redactor);
  const { responseBody = "" } = redactExchange(exchange({ url: "/flags", responseBody: '[{"key":"beta"}]' }), redactor);
  const [{ key }] = JSON.parse(responseBody) as [{ key: string }];
  expect(key).toMatch(new RegExp(redacted));
  expect(redactKnown(before, redactor).url).toBe(`/flags/${key}/rules?page=1`);
  expect(redactExchange(exchange({ url: "/flags/beta" }), redactor).url).toBe(`/flags/${key}`);
  expect(redactExchange(exchange({ url: "/channels/beta" }), redactor).url).toBe("/channels/beta");
});

test("a path names a record by its key id, which is replaced in bodies", () => {
  const redactor = new Redactor("key");
  const created = exchange({ url: "/credentials", responseBody: '{"access_key_id":"7I4jj9Q"}' });
  const { access_key_id: id } = JSON.parse(redactExchange(created, redactor).responseBody ?? "") as Record<
    string,
    string
  >;
  expect(id).not.toBe("7I4jj9Q");
  expect(redactExchange(exchange({ url: "/credentials/7I4jj9Q" }), redactor).url).toBe(`/credentials/${id}`);
});

test("Location names a new record by the key that its path has, before and after that is known", () => {
  const located = (Location: string) =>
    exchange({ url: "/flags", responseBody: '{"key":"beta"}', responseHeaders: [["Location", Location]] });
  const redactor = new Redactor("key");
  const before = redactExchange({ ...located("https://api.test/flags/beta"), responseBody: "{}" }, redactor);
  const { responseHeaders, responseBody = "" } = redactExchange(located("/flags/beta?draft=1"), redactor);
  const { key } = JSON.parse(responseBody) as { key: string };
  expect(responseHeaders).toEqual([["Location", `/flags/${key}?draft=1`]]);
  expect(redactKnown(before, redactor).responseHeaders).toEqual([["Location", `https://api.test/flags/${key}`]]);
});

test("a secret that becomes known later is replaced in what was kept before", () => {
  const redactor = new Redactor("key");
  const early = redactExchange(exchange({ url: "/users/9f8e7d6c5b4a" }), redactor);
  redactExchange(exchange({ requestHeaders: [["X-Api-Key", "9f8e7d6c5b4a"]] }), redactor);
  expect(early.url).toBe("/users/9f8e7d6c5b4a");
  expect(redactKnown(early, redactor).url).toMatch(new RegExp(`^/users/${redacted}$`));
});

test.each([
  ["application/json", '{"password": "hunter2"'],
  ["text/html", "<label>Password</label> hunter2"],
  ["multipart/form-data", '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nhunter2'],
  ["image/png", "hunter2"],
])("a body of %s that cannot be read is not kept: %s", (mediaType, responseBody) => {
  expect(redactExchange(exchange({ mediaType, responseBody }), new Redactor("key")).responseBody).toBeUndefined();
});

test("the same key gives the same pseudonyms, another key others", () => {
  const of = (key: string): string => new Redactor(key).take("hunter2", "password");
  expect(of("one")).toBe(of("one"));
  expect(of("one")).not.toBe(of("two"));
});
