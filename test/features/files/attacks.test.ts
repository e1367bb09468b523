import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilIdle } from "../../../src/features/files/until-idle.ts";
import { createStandin, type Standin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";

let api: Standin<object>;
beforeAll(async () => {
  api = await createStandin({ data: { products: [{ id: 1 }] }, maxFileBytes: 100_000, maxBodyBytes: 50_000 });
});
afterAll(() => api.close());

const TYPE = "multipart/form-data; boundary=X";
const part = (head: string, content = "a") => `--X\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string, content = "a") => part(`Content-Disposition: form-data; name="${name}"`, content);
const file = (name: string, content = "a") =>
  part(`Content-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: text/plain`, content);
const END = "--X--\r\n";

async function send(body: string, type = TYPE) {
  const { status, body: reply } = await askAt(api.url, "POST /products", {
    body: Buffer.from(body, "latin1"),
    headers: { "Content-Type": type },
  });
  return { status, reply: reply as Record<string, unknown> };
}

describe("bodies that attack parsers of forms", () => {
  test.each([
    ["without the final boundary", `${field("a")}${file("a.txt", "cut")}`, TYPE, 400, "BODY_MALFORMED"],
    ["that end in a header", "--X\r\nContent-Disposition: form-da", TYPE, 400, "BODY_MALFORMED"],
    ["without a boundary in the type", `${field("a")}${END}`, "multipart/form-data", 400, "BODY_MALFORMED"],
    ["without any part", "no boundary here", TYPE, 400, "BODY_MALFORMED"],
    ["with thousands of parts", `${field("a").repeat(1500)}${END}`, TYPE, 413, "BODY_TOO_LARGE"],
    ["with thousands of files", `${file("a.txt").repeat(1500)}${END}`, TYPE, 413, "BODY_TOO_LARGE"],
    ["with a large text", `${field("a", "x".repeat(60_000))}${END}`, TYPE, 413, "BODY_TOO_LARGE"],
    ["with a large file", `${file("a.txt", "x".repeat(100_001))}${END}`, TYPE, 413, "FILE_TOO_LARGE"],
    ["with a large preamble", `${"x".repeat(900_000)}${field("a")}${END}`, TYPE, 413, "BODY_TOO_LARGE"],
    ["with the field __proto__", `${field("__proto__")}${END}`, TYPE, 400, "KEY_FORBIDDEN"],
    ["with a file in __proto__", `${file("a").replace('"f"', '"__proto__"')}${END}`, TYPE, 400, "KEY_FORBIDDEN"],
    ["with a very long name", `${field("n".repeat(2000))}${END}`, TYPE, 400, "BODY_MALFORMED"],
    ["that are compressed", `${field("a")}${END}`, TYPE, 415, "BODY_TYPE_UNSUPPORTED"],
  ])("%s", async (what, body, type, status, code) => {
    const headers = { "Content-Type": type, ...(what === "that are compressed" && { "Content-Encoding": "gzip" }) };
    const answer = await askAt(api.url, "POST /products", { body: Buffer.from(body, "latin1"), headers });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code]);
    expect((await askAt(api.url, "GET /products")).body).toHaveLength(1);
  });

  test("a file may be larger than a body, in a form and alone", async () => {
    const content = "x".repeat(80_000);
    const { status, reply } = await send(file("a.txt", content) + field("a", "y".repeat(40_000)) + END);
    expect([status, reply.f]).toEqual([201, expect.objectContaining({ size: 80_000 })]);
    const headers = { "Content-Type": "text/plain" };
    const alone = await askAt(api.url, "PUT /products/1/f", { body: content, headers });
    expect([alone.status, alone.body]).toEqual([
      200,
      expect.objectContaining({ f: expect.objectContaining({ size: 80_000 }) }),
    ]);
    await askAt(api.url, "POST /__reset");
  });

  test("with huge headers store nothing of them", async () => {
    const { status, reply } = await send(`--X\r\nX-Long: ${"h".repeat(40_000)}\r\n${field("a").slice(5)}${END}`);
    expect(status < 500).toBe(true);
    expect(JSON.stringify(reply)).not.toContain("hhhh");
    await askAt(api.url, "POST /__reset");
  });

  test("nested forms are one file or text, never read again", async () => {
    const inner = `--Y\r\nContent-Disposition: form-data; name="inner"\r\n\r\nb\r\n--Y--`;
    const nested = part(
      'Content-Disposition: form-data; name="outer"\r\nContent-Type: multipart/mixed; boundary=Y',
      inner,
    );
    const { status, reply } = await send(nested + END);
    expect([status, reply.outer, reply.inner]).toEqual([201, inner, undefined]);
    await askAt(api.url, "POST /__reset");
  });

  test.each([
    ["a\0b.txt", "ab.txt"],
    ["../../db.json", "db.json"],
    ["..\\..\\db.json", "db.json"],
    ["/etc/passwd", "passwd"],
  ])("the file name %j is only shown, as %j", async (given, shown) => {
    const { reply } = await send(file(given) + END);
    expect((reply.f as { name: string }).name).toBe(shown);
    await askAt(api.url, "POST /__reset");
  });

  test("filename*= in another alphabet", async () => {
    const head =
      "Content-Disposition: form-data; name=\"f\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt\r\nContent-Type: text/plain";
    const { reply } = await send(part(head) + END);
    expect((reply.f as { name: string }).name).toBe("Größe.txt");
    await askAt(api.url, "POST /__reset");
  });

  test("a client that leaves in the middle of a file leaves no record", async () => {
    const leaving = new AbortController();
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(file("a.txt", "x".repeat(2000))));
        setImmediate(() => leaving.abort());
      },
    });
    const options = { method: "POST", headers: { "Content-Type": TYPE }, body, duplex: "half", signal: leaving.signal };
    await expect(fetch(`${api.url}/products`, options as RequestInit)).rejects.toThrow();
    expect((await askAt(api.url, "GET /products")).body).toHaveLength(1);
  });
});

test("a body that sends nothing for a while ends", async () => {
  const silent = (async function* () {
    yield new Uint8Array(1);
    await new Promise(() => undefined);
  })();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const piece of untilIdle(silent, 20)) seen.push(piece.length);
  })();
  await expect(reading).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  expect(seen).toEqual([1]);
});
