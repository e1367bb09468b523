import { StartError } from "../base/errors.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { bashCompletion } from "./completion/bash.ts";
import { completedCommands } from "./completion/completed-commands.ts";
import { fishCompletion } from "./completion/fish.ts";
import { zshCompletion } from "./completion/zsh.ts";
import { defineCommand } from "./define-command.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `standin completion bash`: prints the script with which a shell completes commands, flags and their values. */
export const completionCommand = defineCommand({
  name: "completion",
  usage: "bash|zsh|fish",
  summary: "print the completion script of a shell",
  help: [
    "standin completion bash|zsh|fish   print the script with which a shell completes commands, flags and values",
    "",
    "  bash   add to ~/.bashrc:  source <(standin completion bash)",
    "  zsh    add to ~/.zshrc, after compinit:  source <(standin completion zsh)",
    "  fish   run once:  standin completion fish > ~/.config/fish/completions/standin.fish",
  ],
  options: { help: SERVE_OPTIONS.help },
  async run({ words: [shell = "", ...extra], terminal, commands }) {
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as keyof typeof SHELLS] : undefined;
    if (!write || extra.length > 0) {
      throw new StartError("completion needs the name of a shell: bash, zsh or fish.");
    }
    terminal.print(write(await completedCommands(commands)));
  },
});
