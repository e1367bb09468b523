import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Express } from "express";
import { onTestFinished } from "vitest";
import * as standin from "../../src/json-server/module.ts";
import { type Answer, type AskOptions, askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";

export type Module = typeof standin;
export type Ask = (line: string, options?: AskOptions) => Promise<Answer>;

/** The same custom server runs on both: 0.17.4 itself says what is expected. */
export const ENGINES: Readonly<Record<string, Module>> = {
  "json-server 0.17.4": createRequire(import.meta.url)("json-server") as Module,
  standin,
};

/** Closes a router of standin after the test; those of json-server hold nothing open. */
export function closing<Router extends { close?: () => Promise<void> }>(router: Router): Router {
  onTestFinished(() => router.close?.());
  return router;
}

/** Starts a custom server on a free port until the end of the test. */
export async function serve(app: Express): Promise<Ask> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (line, options) => askAt(url, line, options);
}

export function dataFile(content: unknown): string {
  return join(createFolder({ "db.json": content }), "db.json");
}
