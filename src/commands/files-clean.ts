import { StartError } from "../base/errors.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { defineCommand } from "./define-command.ts";
import { bodyOf, HISTORY_OPTIONS, withHistory } from "./history-server.ts";

/** `standin files clean [source]`: sets unused files aside, and ends those that have been aside for a week. */
export const filesCleanCommand = defineCommand({
  name: "files clean",
  usage: "[source]",
  summary: "set uploaded files aside that nothing names",
  help: [
    "standin files clean [source]   set uploaded files aside that nothing names",
    "",
    "A file that no record, sandbox, kept version or snapshot has named for a day moves to trash/ in its folder, and is gone a",
    "week later. Asks the server that uses the source, if there is one, and reads the files otherwise. Servers clean a",
    "folder that is theirs alone by themselves; one that several data files share is cleaned by this command only.",
  ],
  examples: ["standin files clean", "standin files clean db.json --files uploads"],
  options: { files: SERVE_OPTIONS.files, ...HISTORY_OPTIONS },
  async run({ options, words, terminal }) {
    const [source, ...extra] = words;
    if (extra.length > 0) throw new StartError(`files clean works on one source, but was given ${words.length}.`);
    const { config, files } = options;
    const flags = files === undefined ? [] : ["--files", files];
    const reply = await withHistory({ source, config, terminal, flags }, (ask) =>
      ask({ method: "POST", path: "/__files/clean" }),
    );
    const { kept, trashed, removed } = bodyOf(reply);
    terminal.print(`${kept} files kept, ${trashed} moved to trash/, ${removed} removed from it.`);
  },
});
