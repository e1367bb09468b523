import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStandin, type Standin } from "../../../src/index.ts";
import { type Answer, askAt } from "../../support/api.ts";

const BYTES = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251));

let api: Standin<object>;
let url: string;
beforeAll(async () => {
  api = await createStandin({ data: { products: [{ id: 1 }] } });
  url = await upload(BYTES, "data.bin");
});
afterAll(() => api.close());

async function upload(body: Buffer | string, name: string): Promise<string> {
  const headers = { "Content-Type": "application/octet-stream" };
  const made = await askAt(api.url, `POST /__files?name=${encodeURIComponent(name)}`, { body, headers });
  return (made.body as { url: string }).url;
}

const get = (headers: Record<string, string>, method = "GET"): Promise<Answer> =>
  askAt(api.url, `${method} ${url}`, { headers });

describe("ranges", () => {
  test.each([
    ["bytes=0-99", 206, 0, 99],
    ["bytes=900-", 206, 900, 999],
    ["bytes=-10", 206, 990, 999],
    ["bytes=990-5000", 206, 990, 999],
    ["bytes=-5000", 206, 0, 999],
    ["bytes=0-0,5-6", 200, 0, 999],
    ["bytes=5-1", 200, 0, 999],
    ["items=0-5", 200, 0, 999],
    ["bytes=a-b", 200, 0, 999],
  ])("%s: %d", async (range, status, first, last) => {
    const sent = await get({ Range: range });
    expect([sent.status, sent.headers.get("content-range")]).toEqual([
      status,
      status === 206 ? `bytes ${first}-${last}/1000` : null,
    ]);
    expect(sent.headers.get("content-length")).toBe(String(last - first + 1));
    expect(sent.bytes.equals(BYTES.subarray(first, last + 1))).toBe(true);
  });

  test.each(["bytes=1000-", "bytes=5000-6000", "bytes=-0", `bytes=${"9".repeat(400)}-`])("%s: 416", async (range) => {
    const sent = await get({ Range: range });
    expect([sent.status, sent.headers.get("content-range")]).toEqual([416, "bytes */1000"]);
    expect(sent.body).toMatchObject({ code: "RANGE_INVALID" });
  });

  test("If-Range: the same version only", async () => {
    const etag = (await get({})).headers.get("etag") ?? "";
    expect((await get({ Range: "bytes=0-9", "If-Range": etag })).status).toBe(206);
    expect((await get({ Range: "bytes=0-9", "If-Range": '"other"' })).status).toBe(200);
    expect((await get({ Range: "bytes=0-9", "If-Range": new Date(0).toUTCString() })).status).toBe(200);
  });

  test("HEAD and 304 have no body", async () => {
    const head = await get({}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.bytes.length]).toEqual([200, "1000", 0]);
    expect(head.headers.get("cache-control")).toBe("public, max-age=31536000, immutable, no-transform");
    const part = await get({ Range: "bytes=0-9" }, "HEAD");
    expect([part.status, part.headers.get("content-length")]).toEqual([200, "1000"]);
    const fresh = await get({ "If-None-Match": head.headers.get("etag") ?? "" });
    expect([fresh.status, fresh.bytes.length]).toEqual([304, 0]);
  });
});

const PNG = Buffer.from("89504e470d0a1a0a0000", "hex");
const SANDBOX = "default-src 'none'; sandbox";
describe("types", () => {
  test.each([
    ["a.png", PNG, "image/png", "inline"],
    ["a.html", PNG, "image/png", "inline"],
    ["a.jpg", Buffer.from("ffd8ffe0", "hex"), "image/jpeg", "inline"],
    ["a.gif", "GIF89a...", "image/gif", "inline"],
    ["a.webp", "RIFF0000WEBPVP8 ", "image/webp", "inline"],
    ["a.avif", "\0\0\0\x1cftypavif", "image/avif", "inline"],
    ["a.mp4", "\0\0\0\x18ftypmp42", "video/mp4", "inline"],
    ["a.mp3", "ID3\x03", "audio/mpeg", "inline"],
    ["a.wav", "RIFF0000WAVEfmt ", "audio/wav", "inline"],
    ["a.txt", "plain words, ä", "text/plain; charset=utf-8", "inline"],
    ["a.js", "alert(1)", "text/plain; charset=utf-8", "inline"],
    ["a.html", "<script>alert(1)</script>", "application/octet-stream", "attachment"],
    ["a.html", "\uFEFF \n<!doctype html><script>alert(1)</script>", "application/octet-stream", "attachment"],
    ["a.png", "<html><body onload=alert(1)>", "application/octet-stream", "attachment"],
    ["a.svg", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml", "attachment"],
    ["a.xml", "<?xml version='1.0'?><x/>", "application/octet-stream", "attachment"],
    ["a.zip", "PK\x03\x04", "application/octet-stream", "attachment"],
    ["a.bin", "\0\x01\x02", "application/octet-stream", "attachment"],
    ["a.bin", "RIFFxWEBP", "text/plain; charset=utf-8", "inline"],
    ["a.bin", "", "application/octet-stream", "attachment"],
  ])("%s with %j is sent as %s, %s", async (name, content, type, kind) => {
    const at = await upload(typeof content === "string" ? Buffer.from(content, "utf8") : content, name);
    const { headers } = await askAt(api.url, `GET ${at}`);
    expect([headers.get("content-type"), headers.get("content-disposition")?.split(";")[0]]).toEqual([type, kind]);
    expect([headers.get("x-content-type-options"), headers.get("content-security-policy")]).toEqual([
      "nosniff",
      SANDBOX,
    ]);
  });

  test("a PDF is shown without the sandbox, which its viewer does not run in", async () => {
    const { headers } = await askAt(api.url, `GET ${await upload("%PDF-1.7", "a.pdf")}`);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'");
  });

  test("?download saves any type", async () => {
    const { headers } = await askAt(api.url, `GET ${await upload(PNG, "a.png")}?download`);
    expect(headers.get("content-disposition")).toBe("attachment; filename=\"a.png\"; filename*=UTF-8''a.png");
  });
});

test.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\a.txt", "a.txt"],
  ["..", "file"],
  ["a\0b\r\nSet-Cookie: x=1.txt", "abSet-Cookie: x=1.txt"],
  ['"; filename="x.exe', '"; filename="x.exe'],
  ["\u202Egnp.exe", "gnp.exe"],
  ["x".repeat(500), "x".repeat(200)],
  ["Größe 🎩.png", "Größe 🎩.png"],
])("the name %j is shown as %j, and used in no path or header as it is", async (given, shown) => {
  const headers = { "Content-Type": "text/plain" };
  const made = await askAt(api.url, `POST /__files?name=${encodeURIComponent(given)}`, {
    body: `of ${encodeURIComponent(given)}`,
    headers,
  });
  const file = made.body as { name: string; url: string };
  expect(file.name).toBe(shown);
  const sent = await askAt(api.url, `GET ${file.url}`);
  expect(sent.status).toBe(200);
  expect(sent.headers.get("content-disposition")).toMatch(/^inline; filename="[^"\\%]*"; filename\*=UTF-8''[\w.%!-]+$/);
  expect(sent.headers.get("set-cookie")).toBeNull();
});

test.each([
  "/__files/../../etc/passwd/a",
  "/__files/%2e%2e%2fpartial/a",
  "/__files/trash/a",
  `/__files/${"0".repeat(64)}/a`,
])("GET %s: 404", async (path) => {
  expect((await askAt(api.url, `GET ${path}`)).status).toBe(404);
});
