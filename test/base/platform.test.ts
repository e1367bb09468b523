import { readdirSync } from "node:fs";
import { isIP } from "node:net";
import { parse } from "node:querystring";
import { isDeepStrictEqual as isEqualInNode } from "node:util";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as addresses from "../../src/base/addresses.ts";
import { isDeepStrictEqual } from "../../src/base/json/equality.ts";
import { Buffer as WebBuffer } from "../../src/base/platform/buffer.web.ts";
import * as hashes from "../../src/base/platform/crypto.ts";
import * as webHashes from "../../src/base/platform/crypto.web.ts";
import { DECOMPRESSORS } from "../../src/base/platform/decompressors.web.ts";
import { METHODS } from "../../src/base/platform/runtime.ts";
import {
  validateHeaderName,
  validateHeaderValue,
  METHODS as WEB_METHODS,
} from "../../src/base/platform/runtime.web.ts";
import { parseForm } from "../../src/http/body/form-body.ts";
import { limit } from "../support/limits.ts";

const FOLDER = new URL("../../src/base/platform/", import.meta.url);
const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string());

describe("the halves of the platform", () => {
  const nodeHalves = readdirSync(FOLDER).filter((name) => !name.endsWith(".web.ts"));

  test.each(nodeHalves)("%s has one for the web with the same names", async (name) => {
    const [node, web] = await Promise.all(
      [name, name.replace(/\.ts$/, ".web.ts")].map(async (file) => import(new URL(file, FOLDER).href)),
    );
    expect(Object.keys(web)).toEqual(expect.arrayContaining(Object.keys(node)));
  });

  test("bytes are made from texts, and texts from bytes, alike", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [node, web] = [Buffer.from(text), WebBuffer.from(text)];
        expect([...web]).toEqual([...node]);
        expect(WebBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
        for (const encoding of ["utf8", "hex", "base64", "base64url", "latin1"] as const) {
          expect(web.toString(encoding)).toBe(node.toString(encoding));
          const written = node.toString(encoding);
          expect([...WebBuffer.from(written, encoding)]).toEqual([...Buffer.from(written, encoding)]);
        }
      }),
    );
  });

  test("base64 that was damaged is read alike", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/_=\- !]{0,40}$/), (text) => {
        expect([...WebBuffer.from(text, "base64url")]).toEqual([...Buffer.from(text, "base64url")]);
      }),
    );
  });

  test("large bytes become text", () => {
    const large = "é1".repeat(100_000);
    expect(WebBuffer.from(WebBuffer.from(large).toString("base64"), "base64").toString()).toBe(large);
    expect(WebBuffer.concat([WebBuffer.from("a"), WebBuffer.from(large)]).toString()).toBe(`a${large}`);
  });

  test("hashes are the same", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(webHashes.hash("sha256", text)).toBe(hashes.hash("sha256", text));
        const web = webHashes.createHash("sha256").update(text).update("more").digest("base64url");
        expect(web).toBe(hashes.createHash("sha256").update(text).update("more").digest("base64url"));
      }),
    );
  });

  test("random values have their forms, and spread", () => {
    expect(webHashes.randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const drawn = new Set(Array.from({ length: 400 }, () => webHashes.randomInt(7)));
    expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(webHashes.randomBytes(9)).toHaveLength(9);
  });

  test("secrets are compared", () => {
    const [one, same, other] = ["abc", "abc", "abd"].map((text) => WebBuffer.from(text)) as [
      WebBuffer,
      WebBuffer,
      WebBuffer,
    ];
    expect(webHashes.timingSafeEqual(one, same)).toBe(true);
    expect(webHashes.timingSafeEqual(one, other)).toBe(false);
    expect(() => webHashes.timingSafeEqual(one, WebBuffer.from("ab"))).toThrow(RangeError);
  });

  test("passwords are hashed alike", async () => {
    const cost = { N: 1024, r: 8, p: 1, maxmem: 2 ** 26 };
    const key = await webHashes.deriveKey("pass wörd", WebBuffer.from("salt"), 32, cost);
    expect(key.toString("hex")).toBe(
      (await hashes.deriveKey("pass wörd", Buffer.from("salt"), 32, cost)).toString("hex"),
    );
  });

  test("values are equal as in Node", () => {
    const values = [0, -0, 1, "1", null, true, [], {}, [1], { a: 1 }, { b: 1 }, { a: { b: [1, { c: 2 }] } }];
    const others = structuredClone(values);
    for (const one of values) {
      for (const other of others) expect(isDeepStrictEqual(one, other)).toBe(isEqualInNode(one, other));
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(isDeepStrictEqual(one, other)).toBe(isEqualInNode(one, other));
        expect(isDeepStrictEqual(one, structuredClone(one))).toBe(true);
      }),
    );
  });

  test("addresses are told apart as in Node", () => {
    const texts = [
      "1.2.3.4",
      "256.1.1.1",
      "1.2.3",
      "::",
      "::1",
      "1::",
      "1:2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7",
      "::1.2.3.4",
    ];
    texts.push("fe80::1%eth0", "1::2::3", "1:2:3:4:5:6:7::", "12345::", ":1:2", "1:2:3:4:5:6:1.2.3.4", "", "localhost");
    for (const text of texts) expect(`${text} ${addresses.isIP(text)}`).toBe(`${text} ${isIP(text)}`);
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[\da-f:.]{0,12}$/)), (text) => {
        expect(addresses.isIP(text)).toBe(isIP(text));
      }),
    );
  });

  test("forms are read as in Node", () => {
    const texts = [
      "a=1&b=2",
      "a=1&a=2&a=3",
      "a",
      "=b",
      "a=b=c",
      "a=%C3%A9+x",
      "&&a=1&",
      "a=%",
      "a=%zz&b=%41",
      "",
      "a%20b=",
    ];
    for (const text of texts) expect({ ...parseForm(text) }).toEqual({ ...parse(text) });
  });

  test("compressed bodies are read, up to a length", async () => {
    const bytes = new Uint8Array(gzipSync("hello ".repeat(1000)));
    const whole = await DECOMPRESSORS.gzip(bytes, { maxOutputLength: 10_000 });
    expect(whole.toString()).toBe("hello ".repeat(1000));
    await expect(DECOMPRESSORS.gzip(bytes, { maxOutputLength: 100 })).rejects.toMatchObject({
      code: "ERR_BUFFER_TOO_LARGE",
    });
    await expect(DECOMPRESSORS.gzip(new Uint8Array([1, 2, 3]), { maxOutputLength: 100 })).rejects.toThrow();
  });

  test("headers and methods are judged alike", () => {
    expect(WEB_METHODS).toEqual(expect.arrayContaining(METHODS));
    expect(() => validateHeaderName("x y")).toThrow();
    expect(() => validateHeaderName("x-y")).not.toThrow();
    expect(() => validateHeaderValue("x", "a\nb")).toThrow();
    expect(() => validateHeaderValue("x", "a b")).not.toThrow();
  });
});

test("a form with a name repeated a million times is read in time in step with its length", () => {
  const started = performance.now();
  expect(parseForm("a&".repeat(1_000_000)).a).toHaveLength(1_000_000);
  expect(performance.now() - started).toBeLessThan(limit(5000));
});
