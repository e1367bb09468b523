import { existsSync, readFileSync } from "node:fs";

/** The version in package.json, which lies in the first folder above that has one, in the sources as in the package. */
export function version(): string {
  let url = new URL("package.json", import.meta.url);
  while (!existsSync(url)) url = new URL("../package.json", url);
  return (JSON.parse(readFileSync(url, "utf8")) as { version: string }).version;
}
