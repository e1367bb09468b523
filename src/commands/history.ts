import { StartError } from "../base/errors.ts";
import type { OptionTable, Values } from "../base/option.ts";
import type { HistoryPage, HistoryVersion } from "../features/history/types.ts";
import { defineCommand } from "./define-command.ts";
import { bodyOf, HISTORY_OPTIONS, withHistory } from "./history-server.ts";
import type { Terminal } from "./terminal.ts";

const filter = <const Name extends string>(name: Name, placeholder: string, help: string) =>
  ({ name, type: "string", placeholder, help, only: "flag" }) as const;

const OPTIONS = {
  collection: filter("collection", "<name>", "Only changes of this collection"),
  // Under another key than in the config file, where `id` names the field.
  recordId: filter("id", "<id>", "Only changes of this record in the collection"),
  by: filter("by", "<origin>", "Only changes of this origin, such as console"),
  since: filter("since", "<moment>", "Only changes since a version, a time or an age such as -2h"),
  limit: {
    name: "limit",
    type: "integer",
    default: 50,
    min: 1,
    max: 1000,
    placeholder: "<count>",
    help: "Show at most this many",
    only: "flag",
  },
  ...HISTORY_OPTIONS,
} as const satisfies OptionTable;

/** `standin history [source]`: the changes of the data, newest first. */
export const historyCommand = defineCommand({
  name: "history",
  usage: "[source]",
  summary: "list the changes of the data, newest first",
  help: [
    "standin history [source]           list the changes of the data, newest first",
    "standin history revert <version>   take one change back",
    "",
    "Asks the server that uses the source, if there is one, and reads the files otherwise. A source named revert is",
    "written as ./revert. Credentials for a guarded server come from the environment: STANDIN_API_KEY and STANDIN_TOKEN.",
  ],
  examples: ["standin history", "standin history db.json --collection products --id 7", "standin history revert 1234"],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const [source, ...extra] = words;
    if (extra.length > 0) throw new StartError(`history reads one source, but was given ${words.length}.`);
    const { config } = options;
    const place = { source, config, terminal };
    const reply = await withHistory(place, (ask) => ask({ method: "GET", path: `/__history?${searchOf(options)}` }));
    const page = bodyOf(reply) as object as HistoryPage;
    for (const version of page.versions) printVersion(version, terminal);
    if (page.versions.length === 0) terminal.print("No changes are known.");
    if (page.next !== undefined) terminal.print(terminal.style("dim", "There are more: raise --limit to see them."));
  },
});

function searchOf({ collection, recordId, by, since, limit }: Values<typeof OPTIONS>): string {
  const given = Object.entries({ collection, id: recordId, by, since, limit: String(limit) });
  return new URLSearchParams(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))).toString();
}

function printVersion({ version, time, by, cause, summary, kept }: HistoryVersion, terminal: Terminal): void {
  const { print, style } = terminal;
  const marks = [...(cause === undefined ? [] : [cause]), ...(kept ? [] : ["not kept"])];
  const shown = marks.length === 0 ? "" : ` ${style("cyan", `(${marks.join(", ")})`)}`;
  print(`${style("yellow", `version ${version}`)}${shown}`);
  print(`By:    ${by}`);
  print(`Date:  ${time}`);
  print();
  print(`    ${summary}`);
  print();
}
