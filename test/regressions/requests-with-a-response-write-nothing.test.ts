import type { RequestHandler } from "express";
import { expect, test } from "vitest";
import * as jsonServer from "../../src/json-server/module.ts";
import { closing, serve } from "../json-server/both-engines.ts";

const data = () => ({ messages: [{ id: 1, text: "kept" }], profile: { name: "kept" } });

/** Handlers of projects that forget a `return`: each responds, and passes the request on all the same. */
const HANDLERS: Readonly<Record<string, readonly RequestHandler[]>> = {
  "a validation behind the body parser": [
    ...jsonServer.bodyParser,
    (req, res, next) => {
      if (req.method !== "GET") res.status(400).jsonp({ error: "no sender" });
      next();
    },
  ],
  "a guard that looks up its users": [
    async (req, res, next) => {
      await Promise.resolve();
      if (req.method !== "GET") res.status(401).end();
      next();
    },
  ],
  "a guard in the middle of its response": [
    (req, res, next) => {
      if (req.method === "GET") return next();
      res.status(403).write("no");
      next();
      setImmediate(() => res.end());
    },
  ],
  "a guard that refuses while the body is parsed": [
    (req, res, next) => {
      next();
      if (req.method !== "GET") res.status(401).end();
    },
  ],
};

const WRITES = [
  "POST /messages",
  "PUT /messages/1",
  "PATCH /messages/1",
  "DELETE /messages/1",
  "DELETE /messages?id=1",
  "POST /profile",
  "PUT /profile",
  "PATCH /profile",
  "POST /messages/1/messages",
];

for (const [name, handlers] of Object.entries(HANDLERS)) {
  test(`${name} responds and calls next: its response stands, and nothing is written`, async () => {
    const router = closing(jsonServer.router(data()));
    const ask = await serve(jsonServer.create().use(...handlers, router));
    for (const line of WRITES) {
      const { status } = await ask(line, { body: { text: "lost" } });
      expect([line, Math.floor(status / 100)]).toEqual([line, 4]);
    }
    expect((await ask("GET /db")).body).toEqual(data());
  });
}
