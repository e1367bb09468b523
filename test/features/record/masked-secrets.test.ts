import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { maskBody } from "../../../src/base/secrets/mask-body.ts";
import { maskAddress, maskText } from "../../../src/base/secrets/mask-text.ts";
import { TOKEN_FORMS } from "../../../src/base/secrets/secret-forms.ts";
import { redactExchange } from "../../../src/features/record/redact/redact-exchange.ts";
import { Redactor } from "../../../src/features/record/redact/redactor.ts";
import { traffic } from "./traffic.ts";

/** Made here, so that no scanner takes this file for a leak. */
const of = (characters: string, length: number): string => characters.repeat(length).slice(0, length);
const letters = (length: number): string => of("aB3dE6gH9jK2mN5pQ8", length);
const hex = (length: number): string => of("0a1b2c3d4e5f6789", length);
const capitals = (length: number): string => of("Q2W3E4R5T6Y7", length);

const TOKENS: readonly (readonly [kind: string, token: string])[] = [
  ["age", `AGE-SECRET-KEY-1${of("QPZRY9X8GF2T", 58)}`],
  ["Anthropic", `sk-ant-api03-${letters(93)}AA`],
  ["AWS", `AKIA${capitals(16)}`],
  ["Databricks", `dapi${hex(32)}`],
  ["DigitalOcean", `dop_v1_${hex(64)}`],
  ["Doppler", `dp.pt.${letters(43)}`],
  ["GitHub", `ghp_${letters(36)}`],
  ["GitHub, fine-grained", `github_pat_${letters(22)}_${letters(59)}`],
  ["GitLab", `glpat-${letters(20)}`],
  ["Google", `AIza${letters(35)}`],
  ["Hugging Face", `hf_${of("abcdeFGHIJ", 34)}`],
  ["Linear", `lin_api_${letters(40)}`],
  ["Notion", `ntn_${of("0123456789", 11)}${letters(35)}`],
  ["npm", `npm_${letters(36)}`],
  ["OpenAI", `sk-proj-${letters(74)}T3BlbkFJ${letters(74)}`],
  ["OpenAI, older", `sk-${letters(20)}T3BlbkFJ${letters(20)}`],
  ["Postman", `PMAK-${hex(24)}-${hex(34)}`],
  ["PyPI", `pypi-AgEIcHlwaS5vcmc${letters(60)}`],
  ["SendGrid", `SG.${letters(22)}.${letters(43)}`],
  ["Shopify", `shpat_${hex(32)}`],
  ["Slack", `xoxb-${of("1234567890", 12)}-${letters(24)}`],
  ["Stripe", `sk_live_${letters(24)}`],
  ["Twilio", `SK${hex(32)}`],
  ["Vault", `hvs.${letters(95)}`],
  ["JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
  ["bcrypt", `$2b$10$${letters(53)}`],
  [
    "encrypted private key",
    `-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC,00\n\n${letters(64)}\n-----END RSA PRIVATE KEY-----`,
  ],
  ["card number", "4111 1111 1111 1111"],
];

/** What is secret of a text. */
const TEXTS: readonly (readonly [text: string, secret: string])[] = [
  ["my password is swordfish", "swordfish"],
  ["My password was sw0rdfish, remember?", "sw0rdfish"],
  ["bad password 'sword fish'", "sword fish"],
  ["the secret is a1b2c3d4e5f6a7b8c9", "a1b2c3d4e5f6a7b8c9"],
  [`https://hooks.slack.com/services/T01ABCDEF/B02ABCDEF/${letters(24)}`, letters(24)],
  [`post to https://discord.com/api/webhooks/123456789012345678/${letters(68)}`, letters(68)],
  [`https://acme.webhook.office.com/webhookb2/${hex(8)}@${hex(8)}/IncomingWebhook/${hex(32)}/x`, hex(32)],
  [`https://app.test/invite/${hex(64)}`, hex(64)],
  [`Join us: https://app.test/invitations/${hex(40)}?from=mail`, hex(40)],
];

const ENCODED = Buffer.from('{"password":"swordfish"}').toString("base64");

/** Members whose values are secret. */
const MEMBERS: readonly (readonly [object: object, secret: string])[] = [
  [{ mnemonic: "legal winner thank year wave" }, "legal winner"],
  [{ recoveryPhrase: "legal winner thank year wave" }, "legal winner"],
  [{ salt: letters(22) }, letters(22)],
  [{ hash: hex(64) }, hex(64)],
  [{ seed: hex(32) }, hex(32)],
  [{ blob: ENCODED }, ENCODED],
  [{ n: 4111111111111111 }, "4111111111111111"],
  [[{ op: "test", path: "/password", value: "annpw" }] as object, "annpw"],
  [[{ value: "annpw", path: "/users/0/apiKey", op: "replace" }] as object, "annpw"],
  [{ name: "DB_PASSWORD", value: "annpw" }, "annpw"],
  [{ key: "API_TOKEN", value: 123456 }, "123456"],
];

/** Data of every day, of which nothing may be masked. */
const ORDINARY: readonly unknown[] = [
  { id: "3f2b8c1e-0d4a-4b6e-9f10-aabbccddeeff", at: "2026-01-02T03:04:05.678Z", day: "2026-01-02" },
  { sha: hex(40), etag: `"${hex(32)}"`, digest: `sha256:${hex(64)}`, checksum: hex(64), image: `${hex(40)}.png` },
  { ulid: "01ARZ3NDEKTSV4RRFFQ69G5FAV", objectId: hex(24), sku: "SKU-2024-0001-XL", isbn: "978-3-16-148410-0" },
  { hash: "#a1b2c3", seed: 42, salt: "a pinch", hashtags: ["#spring"], saltiness: "low" },
  { word: "Donaudampfschifffahrtsgesellschaftskapitaen", slug: "npm_config_registry-and-other-settings" },
  { avatar: `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${of("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd", 2000)}` },
  { cursor: Buffer.from('{"id":17,"after":"2026-01-02"}').toString("base64") },
  { error: "Password is required", more: "The token is invalid", other: "Unexpected token 'export', line 3" },
  { text: "Duplicate key 'email'", hint: "The key is case-sensitive", note: "my keys are lost" },
  { link: `https://cdn.test/blobs/${hex(64)}`, other: `https://app.test/orders/${hex(32)}?page=2#top` },
  { invite: "https://app.test/invitations/3f2b8c1e-0d4a-4b6e-9f10-aabbccddeeff", home: "https://app.test/invite/new" },
  { name: "Session length", value: 12, path: "/products/1", key: undefined },
  [{ op: "replace", path: "/price", value: 12.5 }],
  { dna: "ACCAGTACGTTAGCATGACCATTA", task: "task-0123456789abcdef0123456789abcdef" },
  { model: "SK1234567890", region: "ASIA-PACIFIC", phone: "+1 555 0100", api: "API-2024" },
  { big: 4111111111111112, order: "4000-1234-5678", price: "$5$ off" },
];

/** As the recorder and its HAR have a body, and as the traffic log and its HAR show it. */
function kept(value: unknown, line = "POST /things"): string[] {
  const text = JSON.stringify(value);
  const [exchange] = traffic([line, 200, { body: text, sent: value }]);
  const redacted = redactExchange(exchange!, new Redactor("key"));
  const shown = maskBody(text, line.split(" ")[1]);
  return [redacted.requestBody ?? "", redacted.responseBody ?? "", shown];
}

describe("tokens are known by their look, wherever they stand", () => {
  for (const [kind, token] of TOKENS) {
    test(kind, () => {
      const texts = [...kept({ note: token }), ...kept({ note: `see ${token}, please` }), ...kept({ list: [[token]] })];
      const address = `/a/${encodeURIComponent(token)}?x=${encodeURIComponent(token)}`;
      const places = [
        ...texts,
        maskAddress(address),
        maskText(`GET /x failed: ${token}`),
        decodeURIComponent(maskAddress(address)),
      ];
      for (const text of places) expect(text).not.toContain(JSON.stringify(token).slice(1, -1));
      for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
    });
  }
});

describe("secrets are masked in", () => {
  for (const [text, secret] of TEXTS) {
    test(text.slice(0, 60), () => {
      for (const shown of kept({ note: text })) {
        expect(shown).not.toContain(secret);
        expect(JSON.parse(shown).note.slice(0, 3)).toBe(text.slice(0, 3));
      }
    });
  }
  for (const [value, secret] of MEMBERS) {
    test(JSON.stringify(value).slice(0, 60), () => {
      for (const shown of kept(value)) expect(shown).not.toContain(secret);
    });
  }
  test("the bodies of a login, under any name", () => {
    for (const line of ["POST /login", "POST /v1/sessions?x=1"]) {
      for (const shown of kept({ ticket: letters(20), user: "ann" }, line)) {
        expect(shown).not.toContain(letters(20));
        expect(JSON.parse(shown).user).toBe("ann");
      }
    }
  });
});

test.each(ORDINARY.map((value) => [JSON.stringify(value).slice(0, 60), value]))(
  "nothing is masked in %s",
  (_, value) => {
    for (const shown of kept(value)) expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
  },
);

test.each([`/blobs/${hex(64)}`, `/commits/${hex(40)}`, "/users/3f2b8c1e-0d4a-4b6e-9f10-aabbccddeeff?seed=42&hash=top"])(
  "%s stays",
  (address) => expect(maskAddress(address)).toBe(address),
);

test("one secret has one pseudonym, in a field, a text and an address", () => {
  const redactor = new Redactor("key");
  const token = `ghp_${letters(36)}`;
  const pseudonym = redactor.take(token, "token");
  expect(redactor.text(`see ${token}.`)).toBe(`see ${pseudonym}.`);
  expect(redactor.address(`/a/${token}?b=${token}`)).toBe(`/a/${pseudonym}?b=${pseudonym}`);
  expect(redactor.counts.get("GitHub token")).toBeGreaterThan(0);
});

test("masking is linear", () => {
  const pieces = [
    ..."a1_-./$@ ",
    "eyJ-",
    "eyJaaaaa.",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "sk-",
    "ghp_",
    "password is '",
  ];
  for (const piece of [
    ...pieces,
    "my pass ",
    "https://",
    "/invite/",
    '{"value":',
    '{"path":"/key","value":1},',
    "4111 ",
    "a=",
  ]) {
    const text = piece.repeat(100_000 / piece.length);
    const redactor = new Redactor("key", ["email"]);
    const started = process.cpuUsage().user;
    maskText(text, true);
    maskBody(`["${text}`);
    maskBody(`[${text}`);
    maskBody(`a=${text}`, "/login");
    redactor.text(text);
    expect((process.cpuUsage().user - started) / 1000, piece).toBeLessThan(3000);
  }
});

test("the guide names every service whose tokens are masked", () => {
  const guide = readFileSync(join("docs", "guide", "record.md"), "utf8").replace(/\s+/g, " ");
  for (const [name] of TOKEN_FORMS) expect(guide).toContain(name);
});
