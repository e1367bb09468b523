import { existsSync, statSync } from "node:fs";
import { messageOf, StartError } from "../base/errors.ts";
import { readIdKeys } from "../config/collections.ts";
import { TRANSFER_OPTIONS } from "../config/command-options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { readMembers } from "../store/postgres/load/read-members.ts";
import { openPostgres } from "../store/postgres/open-postgres.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";

/** `standin import db.json postgres://...`: loads a data file of any size into a database. */
export const importCommand = defineCommand({
  name: "import",
  usage: "<file> <postgres://...>",
  summary: "load a data file into a database",
  help: [
    "standin import <file> <postgres://...>   load a data file of any size into a database",
    "",
    "A reset returns to the imported data.",
  ],
  options: TRANSFER_OPTIONS,
  async run({ options, words, terminal }) {
    const [file, url, ...extra] = words;
    if (file !== undefined) refuseDocument(file, "import");
    if (file === undefined || url === undefined || extra.length > 0 || sourceKind(url) !== "postgres") {
      throw new StartError("import needs a data file and a database: standin import db.json postgres://localhost/shop");
    }
    if (!existsSync(file)) throw new StartError(`${file} does not exist.`);
    const warn = (text: string): void => terminal.error(`  warning ${text}`);
    const store = await openPostgres(url, { ...postgresSettings(options), ...readIdKeys(options), warn });
    try {
      if (store.members().length > 0 && !options.overwrite) {
        const names = store.members().map(({ name }) => name);
        throw new StartError(
          `${store.place} already has ${names.join(", ")}. Add --overwrite to replace all data, or choose another --schema.`,
        );
      }
      const progress = terminal.progress("importing", options.quiet ? 0 : statSync(file).size);
      try {
        await store.data.replace(readMembers(file, progress.update), true);
      } catch (thrown) {
        throw new StartError(`${file} was not imported, and the database is unchanged: ${messageOf(thrown)}`);
      } finally {
        progress.end();
      }
      if (options.quiet) return;
      for (const { name, count } of store.members()) terminal.print(`${String(count).padStart(9)}  ${name}`);
      terminal.print(`Imported ${file} into ${store.place}`);
    } finally {
      await store.close();
    }
  },
});
