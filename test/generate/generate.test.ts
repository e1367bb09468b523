import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type DatasetOptions, generateDataset } from "../../src/schema/generate/dataset.ts";
import { writeDataset } from "../../src/schema/generate/write-dataset.ts";
import { CLI, createFolder, runCli } from "../support/cli.ts";
import { runKept } from "../support/kept-process.ts";
import { IS_SOAK, testAtLength } from "../support/soak.ts";

interface Dataset {
  products: { id: number; name: string; price: number; company_id: number }[];
  companies: {
    id: number;
    name: string;
    revenue: number;
    headquarter: { lat: number; lon: number };
    locations: { city: string; employee_number: number; state: string }[];
  }[];
}

function generated(options: DatasetOptions): Dataset {
  return JSON.parse([...generateDataset(options)].join(""));
}

/** Runs `standin generate` in a folder; gives back what it wrote as text. */
async function generate(args: readonly string[], folder = createFolder()): Promise<string> {
  const { exit, output } = runKept(["generate", ...args], folder);
  expect(await exit, output.stderr).toBe(0);
  return readFileSync(join(folder, "db.json"), "utf8");
}

function hasTwoDecimals(value: number): boolean {
  return value === Number(value.toFixed(2));
}

/** Those that do not keep a rule, so that a failure shows them. */
function breaking<T>(values: readonly T[], keeps: (value: T) => boolean): T[] {
  return values.filter((value) => !keeps(value));
}

describe.concurrent("standin generate", () => {
  test("writes 100 products and 100 companies with ids 1 to 100 to db.json, and says so", async () => {
    const folder = createFolder();
    const { output, exit } = runKept(["generate"], folder);
    expect(await exit).toBe(0);
    expect(output).toEqual({ stdout: "Wrote 100 products and 100 companies to db.json\n", stderr: "" });
    const data = JSON.parse(readFileSync(join(folder, "db.json"), "utf8")) as Dataset;
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(Object.keys(data)).toEqual(["products", "companies"]);
    expect(data.products.map(({ id }) => id)).toEqual(ids);
    expect(data.companies.map(({ id }) => id)).toEqual(ids);
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });

  test("writes the file as standin itself does: 2-space JSON with a final newline", async () => {
    const text = await generate([]);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  test("--quiet prints nothing", async () => {
    const { output, exit } = runKept(["generate", "--quiet"], createFolder());
    expect(await exit).toBe(0);
    expect(output).toEqual({ stdout: "", stderr: "" });
  });

  test("writes the file that is named", async () => {
    const folder = createFolder();
    await runKept(["generate", "shop.json", "--products", "1"], folder).exit;
    expect(readdirSync(folder)).toEqual(["shop.json"]);
  });

  const counts = [
    ["--products 3", 3, 100],
    ["--companies 2", 100, 2],
    ["--products 0 --companies 1", 0, 1],
    ["--products 2500 --companies 1001", 2500, 1001],
  ] as const;
  for (const [line, products, companies] of counts) {
    test(`${line} gives ${products} products and ${companies} companies`, async () => {
      const data = JSON.parse(await generate(line.split(" "))) as Dataset;
      expect([data.products.length, data.companies.length]).toEqual([products, companies]);
      expect(breaking(data.products, ({ company_id }) => company_id >= 1 && company_id <= companies)).toEqual([]);
    });
  }

  test("the same seed gives the same file, another seed another one, no seed a new one each time", async () => {
    const [one, again, other, free, freeAgain] = await Promise.all(
      [["--seed", "1"], ["--seed", "1"], ["--seed", "2"], [], []].map((args) => generate(args)),
    );
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    expect(freeAgain).not.toBe(free);
  });

  const refused = [
    ["--products many", "--products many: --products expects a whole number from 0."],
    ["--products -5", "--products -5: --products expects a whole number from 0."],
    ["--companies 0", "--companies 0: --companies expects a whole number from 1."],
    ["--seed", "--seed expects a whole number from 0: --seed <number>"],
    ["--sede 1", 'Unknown flag --sede. Did you mean "--seed"?'],
    ["a.json b.json", "generate writes one file, but was given 2."],
  ] as const;
  for (const [line, message] of refused) {
    test(`${line} is refused, and nothing is written`, async () => {
      const folder = createFolder();
      const { output, exit } = runKept(["generate", ...line.split(" ")], folder);
      expect(await exit).toBe(1);
      expect(output.stdout).toBe("");
      expect(output.stderr).toContain(message);
      expect(readdirSync(folder)).toEqual([]);
    });
  }
});

describe("the generated data", () => {
  const { products, companies } = generated({ products: 5000, companies: 2000, seed: 7 });
  const locations = companies.flatMap((company) => company.locations);

  test("a product has id, name, price and company_id, in this order", () => {
    expect(breaking(products, (product) => Object.keys(product).join() === "id,name,price,company_id")).toEqual([]);
    expect(breaking(products, ({ name }) => typeof name === "string" && name.length > 0)).toEqual([]);
  });

  test("a price lies between 1 and 1000 with at most two decimals", () => {
    expect(breaking(products, ({ price }) => price >= 1 && price <= 1000 && hasTwoDecimals(price))).toEqual([]);
    expect(products.some(({ price }) => !Number.isInteger(price * 10))).toBe(true);
  });

  test("every product refers to a company that exists", () => {
    const ids = new Set(companies.map(({ id }) => id));
    expect(breaking(products, ({ company_id }) => ids.has(company_id))).toEqual([]);
  });

  test("references reach from the first to the last company", () => {
    const data = generated({ products: 2000, companies: 100, seed: 7 });
    const referred = data.products.map(({ company_id }) => company_id);
    expect([Math.min(...referred), Math.max(...referred)]).toEqual([1, 100]);
  });

  test("a company has id, name, revenue, headquarter and locations, in this order", () => {
    const order = "id,name,revenue,headquarter,locations";
    expect(breaking(companies, (company) => Object.keys(company).join() === order)).toEqual([]);
    expect(breaking(companies, ({ name }) => typeof name === "string" && name.length > 0)).toEqual([]);
  });

  test("a revenue lies between 1,000,000 and 100,000,000 with at most two decimals", () => {
    expect(breaking(companies, ({ revenue }) => revenue >= 1e6 && revenue <= 1e8 && hasTwoDecimals(revenue))).toEqual(
      [],
    );
    expect(companies.some(({ revenue }) => !Number.isInteger(revenue * 10))).toBe(true);
  });

  test("a headquarter is a place on earth: lat and lon, both numbers", () => {
    const isOnEarth = ({ lat, lon }: { lat: number; lon: number }) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
    expect(breaking(companies, ({ headquarter }) => Object.keys(headquarter).join() === "lat,lon")).toEqual([]);
    expect(breaking(companies, ({ headquarter }) => isOnEarth(headquarter))).toEqual([]);
    expect(breaking(companies, ({ headquarter: { lat, lon } }) => typeof lat === typeof lon)).toEqual([]);
  });

  test("a company has 1 to 5 locations, and every count occurs", () => {
    expect([...new Set(companies.map((company) => company.locations.length))].sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test("a location has a city, 10 to 10000 employees and a state", () => {
    expect(breaking(locations, (location) => Object.keys(location).join() === "city,employee_number,state")).toEqual(
      [],
    );
    expect(breaking(locations, ({ city, state }) => city.length > 0 && state.length > 0)).toEqual([]);
    expect(breaking(locations, ({ employee_number: n }) => Number.isInteger(n) && n >= 10 && n <= 10_000)).toEqual([]);
  });

  test("progress counts every record and ends with the last one", () => {
    const seen: number[] = [];
    generated({ products: 2500, companies: 1500, seed: 1, onProgress: (done) => seen.push(done) });
    expect(seen).toEqual([1000, 2000, 2500, 3500, 4000]);
  });
});

describe.concurrent("overwriting", () => {
  const OLD = `${JSON.stringify({ products: [{ id: 1, name: "old" }], companies: [] }, null, 2)}\n`;

  test("a reader sees the old file or the new one, never a part", async () => {
    const folder = createFolder({ "db.json": OLD });
    const run = runCli(["generate", "--products", "20000"], folder);
    const seen = new Set<number>();
    while (run.child.exitCode === null) {
      const data = JSON.parse(await readFile(join(folder, "db.json"), "utf8")) as Dataset;
      seen.add(data.products.length);
    }
    expect(await run.exit).toBe(0);
    expect(breaking([...seen], (count) => count === 1 || count === 20_000)).toEqual([]);
    expect(seen).toContain(1);
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });

  for (const signal of IS_SOAK ? (["SIGINT", "SIGTERM"] as const) : (["SIGINT"] as const)) {
    test(`${signal} in the middle leaves the old file and no temporary one`, async () => {
      const folder = createFolder({ "db.json": OLD });
      const run = runCli(["generate", "--products", "5000000"], folder);
      while (readdirSync(folder).length === 1) await sleep(10);
      run.child.kill(signal);
      expect(await run.exit).toBe(1);
      expect(run.output).toEqual({ stdout: "", stderr: `standin: db.json was not written: stopped by ${signal}.\n` });
      expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(OLD);
      expect(readdirSync(folder)).toEqual(["db.json"]);
    });
  }

  testAtLength("a full disk leaves the old file and no temporary one", async () => {
    const folder = createFolder({ "db.json": OLD });
    const limited = `ulimit -f 64; exec "${process.execPath}" "${CLI}" generate --products 5000`;
    const child = spawn("sh", ["-c", limited], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^standin: db\.json was not written: EFBIG.*\n$/);
    expect(readFileSync(join(folder, "db.json"), "utf8")).toBe(OLD);
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });

  test("a failure inside leaves the old file and no temporary one", async () => {
    const folder = createFolder({ "db.json": OLD });
    const onProgress = (done: number) => {
      if (done === 3000) throw new Error("enough");
    };
    const file = join(folder, "db.json");
    await expect(writeDataset(file, generateDataset({ products: 5000, companies: 1, onProgress }))).rejects.toThrow(
      "enough",
    );
    expect(readFileSync(file, "utf8")).toBe(OLD);
    expect(readdirSync(folder)).toEqual(["db.json"]);
  });

  test("a folder that does not exist is named", async () => {
    const { output, exit } = runKept(["generate", "nowhere/db.json"], createFolder());
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(
      /^standin: nowhere\/db\.json was not written: the folder nowhere does not exist\.\n$/,
    );
  });
});
