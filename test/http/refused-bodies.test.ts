import { Agent } from "node:http";
import { expect, test } from "vitest";
import { createStandin, type StandinOptions } from "../../src/index.ts";
import { askAt } from "../support/api.ts";

type Options = Omit<Extract<StandinOptions, { data: unknown }>, "data">;

const FORM = { "Content-Type": "multipart/form-data; boundary=x" };
const JSON_TYPE = { "Content-Type": "application/json" };
const PNG = { "Content-Type": "image/png" };
const TEXT = { "Content-Type": "text/plain" };

function part(name: string, content: string | Buffer, fileName = `${name}.bin`): Buffer {
  const head = `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\r\n")]);
}
const form = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from("--x--\r\n")]);
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

const large = form(part("photo", zeros(26_000_000)));
const manyParts = Array.from({ length: 1001 }, (_, at) => part(`f${at}`, "a"));
const guard: Options = { middlewares: ["bearer"], layers: { bearer: { token: "secret" } } };
const interceptor: Options = { middlewares: ["test/fixtures/middlewares/pass.cjs"] };
const fault = { fault: "status", status: 503, path: "/pics", count: 1 };

// Refused while most of the body is still to come.
const cases: readonly [
  what: string,
  line: string,
  headers: Record<string, string>,
  body: Buffer,
  status: number,
  options?: Options,
][] = [
  ["a file of 26 MB", "POST /pics", FORM, large, 413],
  ["a file of 60 MB", "POST /pics", FORM, form(part("photo", zeros(60_000_000))), 413],
  ["a file of 26 MB behind an interceptor", "POST /pics", FORM, large, 413, interceptor],
  ["a file of 26 MB in a sandbox", "POST /__sandbox/a/pics", FORM, large, 413],
  ["more than 1000 parts", "POST /pics", FORM, form(...manyParts, part("more", zeros(5_000_000))), 413],
  ["a very long name", "POST /pics", FORM, form(part("n".repeat(1001), "a"), part("more", zeros(5_000_000))), 400],
  ["a form without an end", "POST /pics", FORM, zeros(30_000_000), 413],
  ["a form of uploads", "POST /__files", FORM, large, 413],
  ["an upload", "POST /__files", TEXT, zeros(26_000_000), 413],
  ["the file of a field", "PUT /pics/1/photo", PNG, zeros(26_000_000), 413],
  ["a compressed form", "POST /pics", { ...FORM, "Content-Encoding": "gzip" }, large, 415],
  ["JSON", "POST /pics", JSON_TYPE, zeros(26_000_000), 413],
  ["JSON behind an interceptor", "POST /pics", JSON_TYPE, zeros(26_000_000), 413, interceptor],
  ["a type that cannot be read", "POST /pics", PNG, zeros(5_000_000), 415],
  ["an unknown path", "POST /nowhere/1/x", JSON_TYPE, zeros(5_000_000), 404],
  ["a form to an unknown path", "POST /nowhere", FORM, large, 404],
  ["a body of DELETE", "DELETE /nowhere/1", JSON_TYPE, zeros(5_000_000), 404],
  ["a form to /__batch", "POST /__batch", FORM, form(part("photo", zeros(5_000_000))), 415],
  ["a batch", "POST /__batch", JSON_TYPE, zeros(26_000_000), 413],
  ["an own route", "POST /__faults", JSON_TYPE, zeros(26_000_000), 413],
  ["a request that a guard refuses", "POST /pics", FORM, large, 401, guard],
  ["a fault", "POST /pics", FORM, large, 503],
];

for (const [what, line, headers, body, status, options] of cases) {
  test(`a connection goes on after ${status} for ${what}`, async () => {
    await using api = await createStandin({ data: { pics: [{ id: 1, photo: null }] }, ...options });
    if (status === 503) await askAt(api.url, "POST /__faults", { body: fault });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const refused = await askAt(api.url, line, { body, headers, agent });
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining('"error":')]);
    const next = await askAt(api.url, "GET /pics", { agent });
    expect(next.status).toBe(options === guard ? 401 : 200);
    agent.destroy();
  });
}
