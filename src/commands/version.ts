import { version } from "../base/platform/files.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { defineCommand } from "./define-command.ts";

/** `standin version`: as `--version`. */
export const versionCommand = defineCommand({
  name: "version",
  usage: "",
  summary: "show the version",
  help: ["standin version   show the version"],
  options: { help: SERVE_OPTIONS.help },
  run: ({ terminal }) => terminal.print(version()),
});
