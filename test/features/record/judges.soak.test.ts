import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startPrism } from "../../documents/servers.ts";
import { type Answer, askAt } from "../../support/api.ts";
import { catalog } from "../../support/catalog.ts";
import { createFolder } from "../../support/cli.ts";
import { serveJsonServer } from "../../support/json-server-cli.ts";
import { addressOf, runKept } from "../../support/kept-process.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { installJudges } from "./install-judges.ts";

const judges = await installJudges();
if (typeof judges === "string") console.log(`Redocly and Prism are not asked: they cannot be installed (${judges}).`);
const { redocly, prism } = typeof judges === "string" ? { redocly: "", prism: "" } : judges;

const READS = [
  "GET /products",
  "GET /products?_page=1&_limit=3",
  "GET /products?company_id=2",
  "GET /products/1",
  "GET /products/2",
  "GET /products/3",
  "GET /companies",
  "GET /companies/1",
  "GET /companies/1/products",
  "GET /products/999",
];
const WRITES: readonly (readonly [line: string, body?: unknown])[] = [
  ["POST /products", { name: "Paper Kite", price: 3, company_id: 1 }],
  ["PATCH /products/1", { price: 4 }],
  ["PUT /products/2", { name: "Paper Boat", price: 5, company_id: 2 }],
  ["DELETE /products/3"],
];

describe.skipIf(typeof judges === "string")("a recording of json-server, judged by others", () => {
  let folder: string;
  let upstream: string;
  const ask = async (url: string): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const line of READS) answers.push(await askAt(url, line));
    for (const [line, body] of WRITES) answers.push(await askAt(url, line, { body }));
    return answers;
  };

  beforeAll(async () => {
    folder = createFolder({ "db.json": catalog() });
    upstream = await serveJsonServer(["db.json"], folder);
    const args = ["record", upstream, "--out", "shop", "--har", "shop.har", "--port", "0"];
    const recording = runKept(args, folder);
    const url = await addressOf(recording);
    await ask(url);
    await askAt(url, "POST /__record");
    expect(await recording.exit).toBe(0);
  });

  test("Redocly's drift finds no error between the archive and the document", async () => {
    const flags = ["--server", upstream, "--format", "json", "--min-severity", "error"];
    // It exits with 1 where it finds something, and the report tells what.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, "drift", "shop.har", "--api", "shop/api.json", ...flags],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    ).catch((thrown: unknown) => thrown as { readonly stdout: string });
    const count = READS.length + WRITES.length;
    tellNumbers(`Redocly's drift: ${count} exchanges compared with the document`);
    expect(JSON.parse(stdout)).toMatchObject({
      run: { totalExchanges: count, documentedExchanges: count, findingsBySeverity: { error: 0 } },
      problems: [],
    });
  });

  test("Prism serves the document: every operation responds with the status that was recorded", async () => {
    const server = await startPrism(prism, join(folder, "shop/api.json"));
    onTestFinished(() => server.stop());
    const statuses = (await ask(server.url)).map(({ status }) => status);
    tellNumbers(`Prism: ${statuses.join(" ")}`);
    expect(statuses).toEqual([...READS.map(() => 200), 201, 200, 200, 200]);
  });
});
