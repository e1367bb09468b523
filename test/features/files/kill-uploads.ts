import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashesIn } from "../../../src/features/files/named-files.ts";
import { createFolder, serveCli } from "../../support/cli.ts";

/** Kills a server during uploads, again and again. Returns how many records it left, and those whose file is missing. */
export async function killUploads(kills: number): Promise<{ records: number; missing: string[] }> {
  const folder = createFolder({ "db.json": { products: [] } });
  for (let kill = 0; kill < kills; kill++) {
    const server = await serveCli(["db.json"], folder);
    const uploads = Array.from({ length: 6 }, (_, at) => uploadTo(server.url, `${kill}-${at}`));
    // In the middle of some, and after others.
    if (kill % 2 === 0) await Promise.race(uploads);
    else await new Promise((resolve) => setImmediate(resolve));
    server.child.kill("SIGKILL");
    await server.exit;
    await Promise.all(uploads);
  }
  const last = await serveCli(["db.json"], folder);
  const products = (await (await fetch(`${last.url}/products`)).json()) as never[];
  const missing: string[] = [];
  for (const sha256 of hashesIn(products)) {
    const { status } = await fetch(`${last.url}/__files/${sha256}/a`);
    const isWhole = status === 200 && readFileSync(join(folder, "db.json.files", sha256)).length === 400_000;
    if (!isWhole) missing.push(sha256);
  }
  await last.stop();
  return { records: products.length, missing };
}

async function uploadTo(url: string, mark: string): Promise<void> {
  const body = new FormData();
  body.append("photo", new File([Buffer.alloc(400_000, mark)], `${mark}.bin`));
  await fetch(`${url}/products`, { method: "POST", body })
    .then(
      (response) => response.arrayBuffer(),
      () => undefined,
    )
    .catch(() => undefined);
}
