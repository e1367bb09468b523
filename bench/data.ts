import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Data, STANDIN } from "./servers.ts";

/** The data files of one run: each made once, copied by every server that starts from it. */
export class DataFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As `standin generate` makes them, always from the same seed. */
  generated({ products, companies }: Data): string {
    const file = join(this.#folder, `${products}-${companies}.json`);
    if (existsSync(file)) return file;
    const counts = ["--products", String(products), "--companies", String(companies)];
    execFileSync(process.execPath, [STANDIN, "generate", file, ...counts, "--seed", "1", "--quiet"]);
    return file;
  }
}
