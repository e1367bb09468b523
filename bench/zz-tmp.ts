import { Agent, request } from "node:http";
import { mkdtempSync, writeFileSync } from "node:fs";
import { newOrders, ORDER_RULES } from "./orders.ts";
import { startServer } from "./servers.ts";
const dir = mkdtempSync("/tmp/zz-");
writeFileSync(`${dir}/d.json`, JSON.stringify({ products: [], companies: [] }));
const reqs = newOrders();
const variants: Record<string, object> = { plain: {}, rules: { rules: ORDER_RULES }, unique: { rules: { products: { ...ORDER_RULES.products, "x-unique": ["id"] } } } };
const servers = Object.fromEntries(await Promise.all(Object.entries(variants).map(async ([k, v]) => [k, await startServer("standin", `${dir}/d.json`, { setup: { standin: { ...v, memory: process.argv[2] === "memory" } } })] as const)));
async function load(url: string, n: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let next = 0;
  await Promise.all(Array.from({ length: 16 }, async () => {
    while (next < n) {
      const r = reqs[next++ % reqs.length]!;
      await new Promise<void>((ok, no) => { const q = request(url + r.path, { method: "POST", agent, headers: { ...r.headers, "content-length": Buffer.byteLength(r.body!) } }, (res) => { if (res.statusCode !== 201) no(new Error(String(res.statusCode))); res.resume(); res.on("end", ok); }); q.on("error", no); q.end(r.body); });
    }
  }));
  agent.destroy();
}
for (const s of Object.values(servers)) await load(s.url, 4000);
const cpu: Record<string, number[]> = {};
for (let round = 0; round < 4; round++) for (const [k, s] of Object.entries(servers)) { const a = s.cpuSeconds(); await load(s.url, 3000); (cpu[k] ??= []).push((s.cpuSeconds() - a) / 3000 * 1e6); }
for (const k of Object.keys(cpu)) console.log(k, cpu[k]!.map((x) => x.toFixed(0)).join(" "), "median", cpu[k]!.sort((a, b) => a - b)[1]!.toFixed(0), "µs CPU per POST");
for (const s of Object.values(servers)) await s.stop();
