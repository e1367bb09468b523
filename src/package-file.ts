import { existsSync, readFileSync } from "node:fs";

/** Where a file of the package lies. package.json is in the first folder above that has one, in the sources as in the package. */
export function packageFile(path: string): URL {
  let url = new URL("package.json", import.meta.url);
  while (!existsSync(url)) url = new URL("../package.json", url);
  return new URL(path, url);
}

/** The version in package.json. */
export function version(): string {
  return (JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as { version: string }).version;
}
