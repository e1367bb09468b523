import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RequestHandler } from "express";
import { expect, test } from "vitest";
import { startApi } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";

/** The part of multer that projects use; it comes without types. */
type Multer = (options: { dest: string }) => {
  single(field: string): RequestHandler;
  none(): RequestHandler;
};
interface WithFile {
  readonly file?: { readonly originalname: string; readonly path: string; readonly size: number };
}
const multer = createRequire(import.meta.url)("multer") as Multer;

function form(): FormData {
  const made = new FormData();
  made.append("name", "Hat");
  made.append("photo", new File(["bytes of a hat"], "hat.png", { type: "image/png" }));
  return made;
}

test("multer as an interceptor reads the stream, and its req.body becomes the record", async () => {
  const folder = createFolder({});
  const nameFile: RequestHandler = (req, _res, next) => {
    const { file } = req as WithFile;
    if (file) Object.assign(req.body, { photo: file.originalname, bytes: file.size });
    next();
  };
  const { url, ask } = await startApi({
    data: { products: [] },
    middlewares: [multer({ dest: join(folder, "uploads") }).single("photo"), nameFile],
  });
  const sent = await fetch(`${url}/products`, { method: "POST", body: form() });
  const product = { name: "Hat", photo: "hat.png", bytes: 14, id: 1 };
  expect([sent.status, await sent.json()]).toEqual([201, product]);
  const [stored = ""] = readdirSync(join(folder, "uploads"));
  expect(readFileSync(join(folder, "uploads", stored), "utf8")).toBe("bytes of a hat");
  // Other bodies pass by it.
  expect((await ask("PATCH /products/1", { body: { name: "Cap" } })).body).toEqual({ ...product, name: "Cap" });
});

test("a form that multer refuses is refused by the server", async () => {
  const { url, ask } = await startApi({
    data: { products: [] },
    middlewares: [multer({ dest: createFolder({}) }).none()],
  });
  const sent = await fetch(`${url}/products`, { method: "POST", body: form() });
  expect(sent.status).toBeGreaterThanOrEqual(400);
  expect((await ask("GET /products")).body).toEqual([]);
});
