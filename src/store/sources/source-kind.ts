import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";
import { maskAddress } from "../../secrets/mask-text.ts";

/** What a source can be; each kind says where its writes go. */
export type SourceKind = "file" | "folder" | "module" | "url" | "postgres";

const MODULE_EXTENSIONS = new Set([".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"]);

/** What this source is, by its form; undefined when it is nothing that can be served. */
export function sourceKind(source: string): SourceKind | undefined {
  if (/^https?:\/\//i.test(source)) return "url";
  if (/^postgres(ql)?:\/\//i.test(source)) return "postgres";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source)) return undefined;
  if (existsSync(source) && statSync(source).isDirectory()) return "folder";
  if (MODULE_EXTENSIONS.has(extname(source))) return "module";
  return extname(source) === ".json" ? "file" : undefined;
}

/** A source as it may be shown: the address of a database has a password in it, before its last @ or among its parameters. */
export function withoutPassword(source: string): string {
  if (sourceKind(source) === "url") return maskAddress(source);
  return source
    .replace(/^(postgres(?:ql)?:\/\/[^:@/?#]*):[^/?#]*@/i, "$1:***@")
    .replace(/([?&]password=)[^&]*/gi, "$1***");
}
