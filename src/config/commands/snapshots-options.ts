import type { OptionTable, Values } from "../../base/option.ts";
import { SERVE_OPTIONS } from "../options.ts";
import { POSTGRES_OPTIONS } from "../postgres-options.ts";
import { resolveWithServerFile, type WithWords } from "../with-server-file.ts";

/** The options of `standin snapshots`. */
export const SNAPSHOTS_OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data file or folder" },
  config: SERVE_OPTIONS.config,
  snapshots: { ...SERVE_OPTIONS.snapshots, help: "Folder that holds the snapshots (default: from the config file)" },
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  ...POSTGRES_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

export type SnapshotsOptions = Values<typeof SNAPSHOTS_OPTIONS>;

/** Resolves the options of `standin snapshots`: source and folder come from flags or the server's config file. */
export function resolveSnapshotsOptions(argv: readonly string[], folder: string): WithWords<SnapshotsOptions> {
  return resolveWithServerFile(argv, folder, SNAPSHOTS_OPTIONS);
}
