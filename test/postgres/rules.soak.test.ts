import { expect, test } from "vitest";
import { askAt, codeOf } from "../support/api.ts";
import { newSchema } from "./database.ts";
import { type Process, startProcess } from "./processes.ts";
import { PostgresServer } from "./server.ts";

const RULES = {
  products: { "x-unique": ["sku"], "x-references": { company_id: { collection: "companies", onDelete: "refuse" } } },
};

test("4 processes: of 64 POSTs with one unique value, one is created; no reference leads nowhere", async () => {
  const server = await PostgresServer.create();
  const schema = newSchema();
  const start = () => startProcess(server.url, schema, [], { rules: RULES });
  let processes: Process[] = [];
  try {
    // The first one fills the database.
    processes = [await start(), ...(await Promise.all([start(), start(), start()]))];
    const ask = (at: number, line: string, body?: unknown) => askAt(processes[at % 4]!.url, line, { body });
    for (let round = 0; round < 20; round++) {
      const made = await Promise.all(
        [...Array(64).keys()].map((at) => ask(at, "POST /products", { sku: `r${round}` })),
      );
      expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(made.map(codeOf))).toEqual(new Set([undefined, "RECORD_INVALID"]));
      const { id } = (await ask(round, "POST /companies", {})).body as { id: number };
      const [removed, ...referring] = await Promise.all([
        ask(round, `DELETE /companies/${id}`),
        ...[...Array(12).keys()].map((at) => ask(at, "POST /products", { company_id: id })),
      ]);
      const isReferred = referring.some(({ status }) => status === 201);
      expect(removed.status).toBe(isReferred ? 409 : 200);
      expect((await ask(round, `GET /companies/${id}`)).status).toBe(isReferred ? 200 : 404);
    }
  } finally {
    for (const { child } of processes) child.kill("SIGKILL");
    await server.destroy();
  }
});
