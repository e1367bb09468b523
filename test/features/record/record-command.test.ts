import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askAt, codeOf } from "../../support/api.ts";
import { createFolder } from "../../support/cli.ts";
import { addressOf, type KeptRun, runKept } from "../../support/kept-process.ts";
import { askRaw } from "../../support/raw.ts";
import { type OddUpstream, startOddUpstream } from "./odd-upstream.ts";

let api: OddUpstream;
let other: OddUpstream;
let recording: KeptRun;
let url: string;

beforeAll(async () => {
  other = await startOddUpstream();
  api = await startOddUpstream((_, res) => {
    res.writeHead(302, { Location: `${other.url}/elsewhere` });
    res.end();
  });
  recording = runKept(["record", api.url, "--header", "X-Key: own-key", "--port", "0"], createFolder());
  url = await addressOf(recording);
});

afterAll(async () => {
  recording.child.kill("SIGTERM");
  await recording.exit;
  await api.close();
  await other.close();
});

const port = (): number => Number(new URL(url).port);

/** An address of this machine that a server on loopback does not have, and one on all addresses does. */
function otherAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
}

test("without --host, standin record listens on loopback only", async () => {
  const socket = connect(port(), otherAddress());
  await expect(once(socket, "connect")).rejects.toThrow("ECONNREFUSED");
  expect((await askAt(url, "GET /__record")).status).toBe(200);
});

test.each(["GET /__record", "POST /__record", "GET /__requests", "GET /__console", "OPTIONS /__record"])(
  "while standin record runs, strangers are refused at %s",
  async (line) => {
    const host = await askAt(url, line, { headers: { Host: "evil.test" } });
    expect([host.status, codeOf(host)]).toEqual([403, "HOST_FORBIDDEN"]);
    const page = await askAt(url, line, { headers: { Origin: "https://evil.test" } });
    expect([page.status, codeOf(page)]).toEqual([403, "CROSS_ORIGIN"]);
  },
);

test("the values of --header go to the named origin, and to no other that a redirect or a request names", async () => {
  const redirected = await fetch(`${url}/a`, { redirect: "manual" });
  expect(redirected.headers.get("location")).toBe(`${other.url}/elsewhere`);
  await askRaw(port(), `GET ${other.url}/b`, [`Host: ${new URL(url).host}`]);
  await askRaw(port(), "GET /c", [`Host: ${new URL(other.url).host}`]);
  expect(other.seen).toEqual([]);
  expect(api.seen.map(({ headers }) => headers.filter(([name]) => name === "X-Key"))).toContainEqual([
    ["X-Key", "own-key"],
  ]);
});
