import assert from "node:assert/strict";
import { Octokit } from "@octokit/rest";
import { failureOf } from "./session.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** No interface: the SDK takes objects of further names. */
export type At = { readonly owner: string; readonly repo: string };

export function connectOctokit(url: string): Octokit {
  return new Octokit({ baseUrl: url, auth: "token", log: quiet });
}

export function statusOf(thrown: unknown): unknown {
  return thrown instanceof Error && "status" in thrown ? thrown.status : thrown;
}

export async function isGone(work: () => Promise<unknown>): Promise<void> {
  assert.equal(statusOf(await failureOf(work)), 404);
}
