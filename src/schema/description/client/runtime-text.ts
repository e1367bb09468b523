import { readFileSync } from "node:fs";
import { packageFile } from "../../../base/files/package-file.ts";

/** The part of a client that is the same for all data. The build copies it from `clients/`. */
export function runtimeText(file: "client.ts" | "client.cs"): string {
  return readFileSync(packageFile(`dist/clients/${file}`), "utf8")
    .replaceAll("\r\n", "\n")
    .trimEnd();
}
