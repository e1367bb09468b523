import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CLI, createFolder, plainEnvironment } from "../../support/cli.ts";
import { limit } from "../../support/limits.ts";
import { somePort } from "../../support/some-port.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";

const MEGABYTE = 1024 * 1024;
const LARGE = 1024 * MEGABYTE;
const ROUNDS = 3000;
const PART = 300;

/** A real API whose `/large` has a gigabyte, and everything else a small body. */
async function startUpstream(): Promise<string> {
  const chunk = Buffer.alloc(MEGABYTE, "x");
  const small = JSON.stringify({ id: 1, name: "Hat" });
  const server = createServer(async (req, res) => {
    if (req.url !== "/large") {
      res.writeHead(200, { "Content-Type": "application/json", "Content-Length": small.length }).end(small);
      return;
    }
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": LARGE });
    for (let sent = 0; sent < LARGE; sent += MEGABYTE) if (!res.write(chunk)) await once(res, "drain");
    res.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startRecording(upstream: string) {
  const port = somePort();
  const child = fork(CLI, ["record", upstream, "--port", String(port), "--quiet"], {
    cwd: createFolder(),
    silent: true,
    env: plainEnvironment(),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${url}/__record`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  /** Of the process, in megabytes: now, and at most so far. */
  const memory = (field: "VmRSS" | "VmHWM"): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  };
  return { url, memory };
}

test.skipIf(process.platform !== "linux")("streams 1 GB with less than 80 MB more memory", async () => {
  const { url, memory } = await startRecording(await startUpstream());
  await (await fetch(`${url}/small`)).arrayBuffer();
  const before = memory("VmRSS");
  let bytes = 0;
  for await (const chunk of (await fetch(`${url}/large`)).body ?? []) bytes += (chunk as Uint8Array).length;
  const more = memory("VmHWM") - before;
  tellNumbers(`proxy: ${bytes / MEGABYTE} MB passed through with ${more.toFixed(1)} MB more memory`);
  expect(bytes).toBe(LARGE);
  expect(more).toBeLessThan(80);
});

test("adds less than 1 ms to a request", async () => {
  const upstream = await startUpstream();
  const { url } = await startRecording(upstream);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = (address: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      get(`${address}/things/1`, { agent }, (response) => {
        response.resume().once("end", () => resolve(performance.now() - began));
      }).once("error", reject);
    });
  const times: { direct: number[]; passed: number[] } = { direct: [], passed: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.direct.push(await ask(upstream));
    times.passed.push(await ask(url));
  }
  const median = (list: number[]): number => list.toSorted((one, other) => one - other)[list.length >> 1] ?? 0;
  const addedFrom = (round: number, count: number): number =>
    median(times.passed.slice(round, round + count)) - median(times.direct.slice(round, round + count));
  // On a busy machine, requests wait for a core, and those through the proxy twice: the calmest part tells.
  const parts = Array.from({ length: ROUNDS / PART }, (_, part) => addedFrom(part * PART, PART));
  const added = Math.min(...parts);
  tellNumbers(
    `proxy: adds ${addedFrom(0, ROUNDS).toFixed(3)} ms to a median of ${median(times.direct).toFixed(3)} ms over ` +
      `${ROUNDS} requests, ${added.toFixed(3)} ms over the calmest ${PART}`,
  );
  expect(added).toBeLessThan(limit(1000) / 1000);
});
