import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../../console/src/traffic/entry.ts";
import { SAVED_FORMATS, savedFile } from "../../../console/src/traffic/save/saved-file.ts";
import { sentAgain } from "../../../console/src/traffic/sent-again.ts";
import { createStandin } from "../../../src/index.ts";
import { askAt } from "../../support/api.ts";
import { HAR_SCHEMA } from "../../support/har-schema.ts";
import { trafficEntry } from "./traffic-entry.ts";

const SECRET = "hidden-0123456789";

/** The entries of a real server for every kind of request. */
async function recorded(): Promise<{ entries: Entry[]; origin: string }> {
  const { url, close } = await createStandin({
    data: { products: [{ id: 1, name: "Hat" }], big: [{ id: 1, text: "x".repeat(9000) }] },
  });
  const json = { "content-type": "application/json" };
  await askAt(url, "GET /big/1");
  await askAt(url, "GET /products?name=Hat&name=Cap", {
    headers: { "X-API-KEY": SECRET, Cookie: `session=${SECRET}` },
  });
  await askAt(url, "POST /products", { body: `{"name":"O'Hat","password":"${SECRET}"}`, headers: json });
  await askAt(url, `GET /products?token=${SECRET}`, { headers: { "X-Standin-Sandbox": "ann" } });
  await askAt(url, "POST /products", {
    body: '{"name":"it\'s \\"q\\" </script>"}',
    headers: { ...json, "X-Note": "a\tb" },
  });
  await askAt(url, "GET /products", { headers: { Prefer: "code=503" } });
  await askAt(url, "GET //?a=b");
  await askAt(url, "POST /__faults", { body: { fault: "reset", method: "DELETE" } });
  await fetch(`${url}/products/1`, { method: "DELETE" }).catch(() => undefined);
  const { requests } = (await askAt(url, "GET /__requests")).body as { requests: Entry[] };
  await close();
  return { entries: requests, origin: url };
}

const { entries, origin } = await recorded();
const file = (format: (typeof SAVED_FORMATS)[number]["format"]): string =>
  savedFile(format, entries, { origin, version: "1.2.3" });

describe("saved requests", () => {
  for (const { format, name } of SAVED_FORMATS) {
    test(`${name}: no secret, every address`, () => {
      const text = file(format);
      expect(text).not.toContain(SECRET);
      for (const { url } of entries) expect(text).toContain(JSON.stringify(url).slice(1, -1));
      expect(savedFile(format, [], { origin, version: "1" })).not.toBe("");
    });
  }

  test("HAR: all that version 1.2 requires, and nothing that it does not know", () => {
    const ajv = new Ajv({ strict: false });
    ajv.addFormat("uri", { validate: (text: string) => URL.canParse(text) });
    const har = JSON.parse(file("har")) as { log: { entries: { response: { content: object } }[] } };
    expect([ajv.validate(HAR_SCHEMA, har), ajv.errors]).toEqual([true, null]);
    expect(har.log.entries).toHaveLength(entries.length);
    expect(har.log.entries[0]!.response.content).toEqual({
      size: entries[0]!.responseBytes,
      mimeType: "application/json; charset=utf-8",
      comment: expect.stringContaining("longer than 4,096 characters"),
    });
    expect(har.log.entries[1]).toMatchObject({
      request: {
        url: `${origin}/products?name=Hat&name=Cap`,
        queryString: [
          { name: "name", value: "Hat" },
          { name: "name", value: "Cap" },
        ],
      },
      response: { status: 200, content: { text: '[{"id":1,"name":"Hat"}]', size: 23 } },
    });
    expect(har.log.entries.at(-1)).toMatchObject({ _faults: [{ fault: "reset" }], response: { status: 0 } });
    expect(har.log.entries[3]).toMatchObject({ _sandbox: "ann" });
    expect(ajv.validate(HAR_SCHEMA, { log: { version: "1.2", entries: [] } })).toBe(false);
  });

  test(".http: one request each; what is masked is named, not sent", () => {
    const text = file("http");
    expect(text.match(/^### /gm)).toHaveLength(entries.length);
    expect(text).toContain(`@host = ${origin}\n`);
    expect(text).toContain("# x-api-key is masked: fill it in\nGET {{host}}/products?name=Hat&name=Cap\n");
    expect(text).not.toMatch(/^x-api-key:/m);
    expect(text).toContain(`x-note: a\tb\n\n{"name":"it's \\"q\\" </script>"}\n`);
    expect(text).toContain("x-standin-sandbox: ann");
    const odd = trafficEntry({ method: "POST", requestBody: "a\n### DELETE /\nb" });
    expect(savedFile("http", [odd], { origin, version: "1" }).match(/^### /gm)).toHaveLength(1);
  });
});

describe("a request to be sent again", () => {
  const sent = (changed: Partial<Entry>) => sentAgain(trafficEntry(changed));

  test("without headers of the connection or the browser, and without masked ones", () => {
    const requestHeaders = {
      host: "localhost:1",
      "user-agent": "x",
      "content-length": "3",
      "content-encoding": "gzip",
      authorization: "Beare...",
      "content-type": "application/json",
    };
    expect(sent({ requestHeaders, requestBody: "{}" })).toEqual({
      headers: [["content-type", "application/json"]],
      maskedHeaders: ["authorization"],
      body: "{}",
      lack: undefined,
    });
  });

  test("the sandbox that a cookie named is named by a header", () => {
    expect(sent({ sandbox: "ann" }).headers).toEqual([["x-standin-sandbox", "ann"]]);
    expect(sent({ sandbox: "ann", url: "/__sandbox/ann/products" }).headers).toEqual([]);
  });

  test("says what is missing", () => {
    expect(sent({ isMasked: true }).lack).toContain("masked");
    expect(sent({ requestBody: "{", requestBodyOmitted: "truncated" })).toMatchObject({
      body: undefined,
      lack: expect.stringContaining("first 4,096 characters"),
    });
    expect(sent({ requestBodyOmitted: "unread" }).lack).toContain("without reading it");
  });
});
