import { StartError } from "../base/errors.ts";
import type { OptionTable } from "../base/option.ts";
import type { HistoryVersion } from "../features/history/types.ts";
import { defineCommand } from "./define-command.ts";
import { bodyOf, HISTORY_OPTIONS, withHistory } from "./history-server.ts";

const OPTIONS = {
  fields: {
    name: "fields",
    type: "boolean",
    default: false,
    help: "Take back the changed fields alone, and keep later changes of others",
    only: "flag",
  },
  ...HISTORY_OPTIONS,
} as const satisfies OptionTable;

/** `standin history revert <version> [source]`: takes one change back. */
export const historyRevertCommand = defineCommand({
  name: "history revert",
  usage: "<version> [source]",
  summary: "take one change of the data back",
  help: [
    "standin history revert <version> [source]   take exactly this change back, as a new change",
    "",
    "Asks the server that uses the source, if there is one, and changes the files otherwise.",
  ],
  examples: ["standin history revert 1234", "standin history revert 1234 db.json --fields"],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const [version, source, ...extra] = words;
    if (version === undefined || !/^\d+$/.test(version) || extra.length > 0) {
      throw new StartError("history revert needs a version: standin history revert 1234. standin history lists them.");
    }
    const { config, fields } = options;
    const request = { method: "POST", path: `/__history/${version}/revert`, body: { fields } };
    const place = { source, config, terminal };
    const made = bodyOf(await withHistory(place, (ask) => ask(request))) as object as HistoryVersion & {
      readonly unchanged?: true;
    };
    if (made.unchanged) terminal.print(`Version ${version} is taken back already; nothing was changed.`);
    else terminal.print(`Reverted version ${version} as version ${made.version}: ${made.summary}`);
  },
});
