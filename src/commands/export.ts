import { existsSync } from "node:fs";
import { StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { readIdKeys } from "../config/collections.ts";
import { TRANSFER_OPTIONS } from "../config/command-options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { openPostgres } from "../store/postgres/open-postgres.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { sourceKind } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";

/** `standin export postgres://... db.json`: writes a consistent copy of a database to a data file. */
export const exportCommand = defineCommand({
  name: "export",
  usage: "<postgres://...> <file>",
  summary: "write the content of a database to a data file",
  help: ["standin export <postgres://...> <file>   write the content of a database to a data file"],
  options: TRANSFER_OPTIONS,
  async run({ options, words, terminal }) {
    const [url, file, ...extra] = words;
    if (url !== undefined) refuseDocument(url, "export", "a database");
    if (file === undefined || url === undefined || extra.length > 0 || sourceKind(url) !== "postgres") {
      throw new StartError("export needs a database and a data file: standin export postgres://localhost/shop db.json");
    }
    if (existsSync(file) && !options.overwrite) {
      throw new StartError(`${file} already exists. Add --overwrite to replace it.`);
    }
    const warn = (text: string): void => terminal.error(`  warning ${text}`);
    const store = await openPostgres(url, {
      ...postgresSettings(options),
      ...readIdKeys(options),
      mustExist: true,
      warn,
    });
    const total = store.members().reduce((sum, { count }) => sum + count, 0);
    const progress = terminal.progress("exporting", options.quiet ? 0 : total);
    try {
      await store.data.render((pieces) => writeAtomically(file, pieces), progress.update);
    } catch (thrown) {
      throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
    } finally {
      progress.end();
      await store.close();
    }
    if (!options.quiet) terminal.print(`Exported ${total} records from ${store.place} to ${file}`);
  },
});
