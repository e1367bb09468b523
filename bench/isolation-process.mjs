/** Measures in one process what tests do in theirs: starts, resets and sandboxes. Prints JSON. Needs --expose-gc. */
import { readFileSync } from "node:fs";
import { createStandin } from "../dist/index.js";

const [smallFile, largeFile] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const ROUNDS = 40;
const SANDBOXES = 100;

async function median(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[ROUNDS / 2];
}

function heapMegabytes() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

async function resetMs(data) {
  const api = await createStandin({ data });
  let id = 1;
  const write = () => api.db.products.update(id++, { price: 1 });
  await write();
  const ms = await median(() => api.reset());
  const firstWriteMs = await median(async () => {
    await api.reset();
    await write();
  });
  await api.close();
  return { ms, firstWriteMs };
}

const small = read(smallFile);
// Starting is measured before anything is warm; the first start of all by itself.
const [firstAt, cpuAt] = [performance.now(), process.cpuUsage()];
const first = await createStandin({ data: small });
const firstStartMs = performance.now() - firstAt;
const { user, system } = process.cpuUsage(cpuAt);
const firstStartCpuMs = (user + system) / 1000;
await first.close();
const opened = [];
const startMs = await median(async () => opened.push(await createStandin({ data: small })));
await Promise.all(opened.map((api) => api.close()));

const large = read(largeFile);
const resets = { small: await resetMs(small), large: await resetMs(large) };

const api = await createStandin({ data: large, sandboxes: { count: SANDBOXES } });
const before = heapMegabytes();
const madeAt = performance.now();
const sandboxes = Array.from({ length: SANDBOXES }, (_, i) => api.sandbox(`s${i}`));
const makeMs = (performance.now() - madeAt) / SANDBOXES;
const untouchedMegabytes = (heapMegabytes() - before) / SANDBOXES;
for (const sandbox of sandboxes)
  for (let id = 1; id <= 10; id++) await sandbox.db.companies.update(id, { revenue: id });
const smallWriteMegabytes = (heapMegabytes() - before) / SANDBOXES;
for (const sandbox of sandboxes) await sandbox.db.products.update(1, { price: 1 });
const largeWriteMegabytes = (heapMegabytes() - before) / SANDBOXES;
await api.close();

const figures = {
  firstStartMs,
  firstStartCpuMs,
  startMs,
  resets,
  makeMs,
  untouchedMegabytes,
  smallWriteMegabytes,
  largeWriteMegabytes,
};
console.log(JSON.stringify(figures));
