import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropSchema, newSchema } from "../postgres/database.ts";

/** A place for the data of one document. */
export interface DataPlace {
  /** The options of the command line that name it. */
  readonly args: readonly string[];
  remove(): Promise<void>;
}

/** A schema of its own in a database, else a file. */
export function newDataPlace(database: string | undefined): DataPlace {
  if (database !== undefined) {
    const schema = newSchema();
    return { args: ["--data", database, "--schema", schema], remove: () => dropSchema(database, schema) };
  }
  const folder = mkdtempSync(join(tmpdir(), "standin-documents-"));
  return {
    args: ["--data", join(folder, "db.json")],
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
