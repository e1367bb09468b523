import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askAt, codeOf } from "../support/api.ts";
import { createFolder, printed } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

const DATA = { products: [{ id: 1, name: "Hat", price: -1 }] };

test("--watch reloads the rules file; a broken one keeps the rules, and says so", async () => {
  const folder = createFolder({ "db.json": DATA, "rules.json": { products: { required: ["name"] } } });
  const server = await serveKept(["--watch", "--rules", "rules.json"], folder);
  const post = async (body: object) => codeOf(await askAt(server.url, "POST /products", { body }));
  const write = (text: string): void => writeFileSync(join(folder, "rules.json"), text);
  expect(await post({})).toBe("RECORD_INVALID");
  write('{ "products": { "required": ["sku"], "properties": { "price": { "minimum": 0 } } } }');
  await printed(server, /Reloaded rules\.json \(changed on disk\)\./);
  await printed(server, /products: 1 record breaks the rules \(required at \/sku: 1, minimum at \/price: 1\)/);
  expect(await post({ name: "Cap" })).toBe("RECORD_INVALID");
  write('{ "products": { "requierd": ["sku"] } }');
  await printed(
    server,
    /Kept the current version of rules\.json: .*products\.requierd: is not a keyword.*Did you mean "required"\?/,
  );
  expect(await post({ name: "Cap" })).toBe("RECORD_INVALID");
  expect(await post({ sku: "a" })).toBeUndefined();
  await server.stop();
});

test("a start with a broken rules file fails, and names file and key", async () => {
  const folder = createFolder({
    "db.json": DATA,
    "rules.json": { products: { properties: { price: { minimun: 0 } } } },
  });
  const { exit, output } = runKept(["db.json", "--port", "0", "--rules", "rules.json"], folder);
  expect(await exit).toBe(1);
  expect(output.stderr).toContain(
    "rules.json: products.properties.price.minimun: is not a keyword of JSON Schema 2020-12.",
  );
});
