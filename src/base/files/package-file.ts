import { existsSync } from "node:fs";

/** The URL of a file in the package, whose root is the nearest folder above with a package.json. */
export function packageFile(path: string): URL {
  let url = new URL("package.json", import.meta.url);
  while (!existsSync(url)) url = new URL("../package.json", url);
  return new URL(path, url);
}
