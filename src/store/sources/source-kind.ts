import { existsSync, statSync } from "node:fs";
import { extname } from "node:path";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import { isDataName } from "../file/formats/formats.ts";

/** The kinds of sources; the kind decides where writes go. */
export type SourceKind = "file" | "folder" | "module" | "url" | "postgres";

const MODULE_EXTENSIONS = new Set([".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"]);

/** The kind of a source by its form; undefined when it cannot be served. */
export function sourceKind(source: string): SourceKind | undefined {
  if (/^https?:\/\//i.test(source)) return "url";
  if (/^postgres(ql)?:\/\//i.test(source)) return "postgres";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source)) return undefined;
  if (existsSync(source) && statSync(source).isDirectory()) return "folder";
  if (MODULE_EXTENSIONS.has(extname(source))) return "module";
  return isDataName(source) ? "file" : undefined;
}

/** Masks the password in a source: a database URL may have one before its last @ or among its parameters. */
export function withoutPassword(source: string): string {
  if (sourceKind(source) === "url") return maskAddress(source);
  return source
    .replace(/^(postgres(?:ql)?:\/\/[^:@/?#]*):[^/?#]*@/i, "$1:***@")
    .replace(/([?&]password=)[^&]*/gi, "$1***");
}
