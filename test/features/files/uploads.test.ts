import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import axios from "axios";
import type { RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { isFileObject } from "../../../src/base/file-object.ts";
import { createStandin } from "../../../src/index.ts";
import { startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { serveKept } from "../../support/kept-process.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const SHA256 = createHash("sha256").update(PNG).digest("hex");
const PHOTO = {
  name: "hat.png",
  type: "image/png",
  size: PNG.length,
  sha256: SHA256,
  url: `/__files/${SHA256}/hat.png`,
};
const DATA = () => ({
  products: [{ id: 1, name: "Hat", price: 5, sold: false, code: "7" }],
  companies: [{ id: 1, name: "Blue Kiln" }],
  settings: { theme: "dark" },
});

function form(fields: Record<string, string | Blob | File>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
}

const picture = (name = "hat.png") => new File([PNG], name, { type: "image/png" });

async function send(url: string, method: string, body: FormData | Uint8Array<ArrayBuffer>, headers = {}) {
  const response = await fetch(url, { method, body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("a form with a file", () => {
  test("creates a record with a file object; fields are of the kind that the data shows", async () => {
    const { url } = await startApi({ data: DATA() });
    const made = await send(
      `${url}/products`,
      "POST",
      form({ name: "Cap", price: "7.5", sold: "true", code: "8", note: "9", photo: picture() }),
    );
    expect(made).toEqual({
      status: 201,
      body: { id: 2, name: "Cap", price: 7.5, sold: true, code: "8", note: "9", photo: PHOTO },
    });
    const sent = await fetch(url + PHOTO.url);
    expect(Buffer.from(await sent.arrayBuffer())).toEqual(PNG);
    expect(sent.headers.get("content-type")).toBe("image/png");
  });

  test("keeps a number that is none as text, and its type is that of its first bytes, else as declared", async () => {
    const { url } = await startApi({ data: DATA() });
    const send = async (fields: Record<string, string | File>): Promise<string> =>
      (await fetch(`${url}/products`, { method: "POST", body: form(fields) })).text();
    expect(await send({ price: "12.50" })).toContain('"price":12.5,');
    expect(await send({ price: "1e999999" })).toContain('"price":"1e999999",');
    const typeOf = async (content: string | Buffer, type: string) =>
      /"type":"([^"]*)"/.exec(
        await send({ file: new File([new Uint8Array(Buffer.from(content))], "a", { type }) }),
      )?.[1];
    expect(await typeOf(PNG, "text/html")).toBe("image/png");
    expect(await typeOf("%PDF-1.7", "image/png")).toBe("application/pdf");
    expect(await typeOf("PK\x03\x04", "text/plain")).toBe("application/zip");
    expect(await typeOf("a,b", "text/csv; charset=utf-8")).toBe("text/csv");
    expect(await typeOf("a,b", "not a type")).toBe("application/octet-stream");
  });

  test("is judged by rules as an object", async () => {
    const rules = { products: { properties: { photo: { properties: { size: { maximum: PNG.length - 1 } } } } } };
    const { url, ask } = await startApi({ data: DATA(), rules });
    const refused = await send(`${url}/products`, "POST", form({ photo: picture() }));
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining("photo")]);
    expect((await ask("GET /products")).body).toHaveLength(1);
  });

  test("by rules, numbers are numbers although no record shows one", async () => {
    const rules = {
      products: { properties: { price: { type: ["integer", "null"] }, name: { type: "string" } } },
    };
    const { url } = await startApi({ data: { products: [] }, rules });
    const { body } = await send(`${url}/products`, "POST", form({ name: "7", price: "7", photo: picture() }));
    expect(body).toMatchObject({ name: "7", price: 7 });
  });

  test.each(["PUT", "PATCH"])("changes a record with %s", async (method) => {
    const { url } = await startApi({ data: DATA() });
    const { status, body } = await send(`${url}/products/1`, method, form({ name: "Cap", photo: picture() }));
    expect([status, body.name, body.photo, body.price]).toEqual([200, "Cap", PHOTO, method === "PUT" ? undefined : 5]);
  });

  test("reaches children, singletons and sandboxes", async () => {
    const { url } = await startApi({ data: DATA() });
    const child = await send(`${url}/companies/1/products`, "POST", form({ price: "3", photo: picture() }));
    expect(child.body).toMatchObject({ companyId: 1, price: 3, photo: PHOTO });
    const settings = await send(`${url}/settings`, "PATCH", form({ logo: picture() }));
    expect(settings.body).toEqual({ theme: "dark", logo: PHOTO });
    await send(`${url}/__sandbox/a/products/1`, "PATCH", form({ photo: picture() }));
    expect(await (await fetch(`${url}/products/1`)).json()).not.toHaveProperty("photo");
    expect((await fetch(`${url}/__sandbox/a${PHOTO.url}`)).status).toBe(200);
  });

  test("several of one name are a list; an input without a file is left out", async () => {
    const { url } = await startApi({ data: DATA() });
    const body = form({ empty: new File([], "", { type: "application/octet-stream" }) });
    for (const name of ["a.png", "b.png"]) body.append("photos", picture(name));
    for (const tag of ["new", "warm"]) body.append("tags", tag);
    const made = await send(`${url}/products`, "POST", body);
    expect(made.body).toMatchObject({ photos: [{ name: "a.png" }, { name: "b.png" }], tags: ["new", "warm"] });
    expect(made.body).not.toHaveProperty("empty");
    const empty = await send(
      `${url}/products`,
      "POST",
      form({ note: new File([], "empty.txt", { type: "text/plain" }) }),
    );
    expect(empty.body.note).toMatchObject({ name: "empty.txt", type: "text/plain", size: 0 });
  });

  test("with an Idempotency-Key creates one record", async () => {
    const { url } = await startApi({ data: DATA() });
    const raw = new Response(form({ photo: picture() }));
    const headers = { "Idempotency-Key": "one", "Content-Type": raw.headers.get("content-type") ?? "" };
    const body = new Uint8Array(await raw.arrayBuffer());
    const first = await send(`${url}/products`, "POST", body, headers);
    expect(await send(`${url}/products`, "POST", body, headers)).toEqual(first);
    expect(first).toMatchObject({ status: 201, body: { photo: PHOTO } });
  });

  test("is refused by other methods, own routes and batches with 415", async () => {
    const { url } = await startApi({ data: DATA() });
    for (const [method, path] of [
      ["DELETE", "/products/1"],
      ["POST", "/__batch"],
      ["POST", "/__reset"],
    ] as const) {
      const { status } = await fetch(url + path, { method, body: form({ photo: picture() }) });
      expect([path, status]).toEqual([path, path === "/__reset" ? status : 415]);
    }
    const requests = [{ method: "PUT", path: "/products/1/photo", body: {} }];
    await send(`${url}/products/1`, "PATCH", form({ photo: picture() }));
    const batch = await fetch(`${url}/__batch`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ requests }),
    });
    expect(JSON.stringify(await batch.json())).toContain("BODY_TYPE_UNSUPPORTED");
  });
});

test("curl -F and axios upload as browsers do", async () => {
  const folder = createFolder({});
  writeFileSync(join(folder, "hat.png"), PNG);
  const { url } = await startApi({ data: DATA() });
  const { stdout } = await promisify(execFile)("curl", ["-sF", "price=4", "-F", "photo=@hat.png", `${url}/products`], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toMatchObject({ price: 4, photo: PHOTO });
  const { data } = await axios.post(`${url}/products`, form({ price: "4", photo: picture() }));
  expect(data).toMatchObject({ price: 4, photo: PHOTO });
});

describe("/products/7/photo", () => {
  test("sets, reads and removes the file of a field", async () => {
    const { url } = await startApi({ data: DATA() });
    const at = `${url}/products/1/photo`;
    expect((await fetch(at)).status).toBe(404);
    const set = await send(`${at}?name=hat.png`, "PUT", new Uint8Array(PNG), { "Content-Type": "image/png" });
    expect(set).toMatchObject({ status: 200, body: { id: 1, photo: PHOTO } });
    const sent = await fetch(at);
    expect([sent.headers.get("cache-control"), Buffer.from(await sent.arrayBuffer())]).toEqual([
      "private, no-cache, no-transform",
      PNG,
    ]);
    expect(await (await fetch(at, { method: "DELETE" })).json()).toMatchObject({ photo: null });
    expect((await fetch(at, { method: "DELETE" })).status).toBe(404);
  });

  test.each([
    ["PUT", "/products/9/photo", "image/png", 404],
    ["PUT", "/products/1/companies", "image/png", 405],
    ["PUT", "/products/1/id", "image/png", 404],
    ["PUT", "/products/1/photo", "application/json", 415],
    ["POST", "/products/1/photo", "image/png", 404],
  ])("%s %s of type %s: %d", async (method, path, type, status) => {
    const { url } = await startApi({ data: DATA() });
    expect((await send(url + path, method, new Uint8Array(PNG), { "Content-Type": type })).status).toBe(status);
  });

  test("is not a file route where the name is that of a relation", async () => {
    const { url } = await startApi({ data: { products: [{ id: 1, companyId: 1 }], companies: [{ id: 1 }] } });
    const reply = await send(`${url}/products/1/company`, "PUT", new Uint8Array(PNG), { "Content-Type": "image/png" });
    expect(reply.status).toBe(404);
  });

  test("respects If-Match", async () => {
    const { url } = await startApi({ data: DATA() });
    const headers = { "Content-Type": "image/png", "If-Match": '"old"' };
    expect((await send(`${url}/products/1/photo`, "PUT", new Uint8Array(PNG), headers)).status).toBe(412);
  });
});

test("POST /__files uploads alone, raw or by a form", async () => {
  const { url } = await startApi({ data: DATA() });
  const raw = await fetch(`${url}/__files?name=hat.png`, {
    method: "POST",
    body: PNG,
    headers: { "Content-Type": "image/png" },
  });
  expect([raw.status, raw.headers.get("location"), await raw.json()]).toEqual([201, url + PHOTO.url, PHOTO]);
  expect((await send(`${url}/__files`, "POST", form({ any: picture() }))).body).toEqual(PHOTO);
  expect((await send(`${url}/__files`, "POST", form({ text: "no file" }))).status).toBe(400);
});

test("a saved server keeps files in a folder beside its data file", async () => {
  const folder = createFolder({ "db.json": DATA() });
  const first = await serveKept(["db.json"], folder);
  expect(readdirSync(folder)).not.toContain("db.json.files");
  const made = await send(`${first.url}/products`, "POST", form({ photo: picture() }));
  expect(isFileObject(made.body.photo)).toBe(true);
  await first.stop();
  expect(readFileSync(join(folder, "db.json.files", SHA256))).toEqual(PNG);
  const second = await serveKept(["db.json"], folder);
  expect((await fetch(second.url + PHOTO.url)).status).toBe(200);
  await second.stop();
});

test("a server that saves nothing makes no folder", async () => {
  const folder = createFolder({ "db.json": DATA() });
  await using api = await createStandin({ source: join(folder, "db.json") });
  const made = await send(`${api.url}/products`, "POST", form({ photo: picture() }));
  expect([made.status, (await fetch(api.url + PHOTO.url)).status, readdirSync(folder)]).toEqual([
    201,
    200,
    ["db.json"],
  ]);
});

test("a read-only server takes no files", async () => {
  const { url } = await startApi({ data: DATA(), readOnly: true });
  expect((await send(`${url}/__files`, "POST", form({ any: picture() }))).body.code).toBe("READ_ONLY");
  expect((await fetch(url + PHOTO.url)).status).toBe(404);
});

test("64 uploads of one file at a time store it once", async () => {
  const folder = createFolder({});
  const { url } = await startApi({ data: DATA(), files: join(folder, "uploads") });
  const content = Buffer.alloc(20_000, "standin");
  const sent = Array.from({ length: 64 }, () =>
    send(`${url}/products`, "POST", form({ photo: new File([content], "same.bin") })),
  );
  const hashes = (await Promise.all(sent)).map(({ status, body }) => [status, (body.photo as typeof PHOTO).sha256]);
  const sha256 = createHash("sha256").update(content).digest("hex");
  expect(hashes).toEqual(hashes.map(() => [201, sha256]));
  expect(readdirSync(join(folder, "uploads")).sort()).toEqual([sha256, "data-files.json", "partial"].sort());
  expect(readdirSync(join(folder, "uploads", "partial"))).toEqual([]);
});

test("pages of other origins and under other names may use files as they use the data", async () => {
  const { url, ask } = await startApi({ data: DATA() });
  await send(`${url}/__files`, "POST", form({ any: picture() }), { Origin: "http://shop.test" });
  const headers = { Host: "shop.test", Origin: "http://other.test" };
  const sent = await ask(`GET ${PHOTO.url}`, { headers });
  expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([200, "http://other.test"]);
});

const passOn: RequestHandler = (_req, _res, next) => next();
/** Reads the stream itself, as multer does, and leaves the fields in `req.body`. */
const readForm: RequestHandler = (req, _res, next) => {
  if (!req.is("multipart/form-data")) return next();
  let bytes = 0;
  req.on("data", (piece: Buffer) => {
    bytes += piece.length;
  });
  req.on("end", () => {
    req.body = Object.assign(Object.create(null), { price: "3", read: bytes > PNG.length });
    next();
  });
};

describe("with interceptors", () => {
  test("a form that none of them reads is stored", async () => {
    const { url } = await startApi({ data: DATA(), middlewares: [passOn] });
    const made = await send(`${url}/products`, "POST", form({ price: "3", photo: picture() }));
    expect([made.status, made.body.price, made.body.photo]).toEqual([201, 3, PHOTO]);
    const sent = await fetch(url + PHOTO.url, { headers: { Range: "bytes=0-3" } });
    expect([sent.status, Buffer.from(await sent.arrayBuffer())]).toEqual([206, PNG.subarray(0, 4)]);
  });

  test("a form that one of them reads, as multer does, is taken from req.body", async () => {
    const { url } = await startApi({ data: DATA(), middlewares: [readForm] });
    const made = await send(`${url}/products`, "POST", form({ price: "3", photo: picture() }));
    expect(made).toEqual({ status: 201, body: { price: "3", read: true, id: 2 } });
  });
});
