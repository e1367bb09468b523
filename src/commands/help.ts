import { StartError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { defineCommand } from "./define-command.ts";
import { helpOf } from "./help-texts.ts";

/** `standin help [command]`: as `--help` of that command. */
export const helpCommand = defineCommand({
  name: "help",
  usage: "[command]",
  summary: "show the help of a command, or everything with all",
  help: ["standin help [command]   show the help of a command; standin help all lists everything"],
  examples: ["standin help hosted export"],
  options: { help: SERVE_OPTIONS.help },
  async run({ words, terminal, commands }) {
    const name = words.join(" ");
    if (name === "" || name === "all") return terminal.print(await helpOf(commands, name === "all"));
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (load) return (await load()).run(["--help"], commands);
    const hint = didYouMean(name, Object.keys(commands));
    throw new StartError(`There is no command "${name}".${hint} standin help lists the commands.`);
  },
});
