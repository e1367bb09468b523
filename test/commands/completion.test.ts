import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { flagOf } from "../../src/base/option.ts";
import { COMMANDS } from "../../src/commands/command-table.ts";
import { bashCompletion } from "../../src/commands/completion/bash.ts";
import { completedCommands } from "../../src/commands/completion/completed-commands.ts";
import { fishCompletion } from "../../src/commands/completion/fish.ts";
import { zshCompletion } from "../../src/commands/completion/zsh.ts";
import { SERVE_OPTIONS } from "../../src/config/options.ts";
import { commandExists, need } from "../durability/spawned.ts";
import { createFolder } from "../support/cli.ts";

/** A command line up to the cursor, some of the words offered for it, and some that must not be. */
const CASES: readonly [line: string, offered: readonly string[], not: readonly string[]][] = [
  ["standin ", ["generate", "hosted", "files", "help"], ["export hosted", "--port", "clean"]],
  ["standin ho", ["hosted"], ["generate"]],
  ["standin --me", ["--memory"], ["--port", "--products"]],
  ["standin db.json --durability ", ["process", "disk"], ["generate"]],
  ["standin --durability=d", ["disk"], ["process"]],
  ["standin generate --prod", ["--products"], ["--port"]],
  ["standin hosted ", ["export"], ["generate", "hosted"]],
  ["standin hosted export --", ["--overwrite"], ["--port"]],
  ["standin files ", ["clean"], ["generate"]],
  ["standin secret ", ["password", "api-key", "token"], ["generate"]],
  ["standin completion z", ["zsh"], ["bash"]],
  ["standin help requ", ["requests"], ["record"]],
  ["standin client --lang c", ["csharp"], ["typescript"]],
  ["standin hosted examples.json --private --po", ["--port"], ["--products"]],
];

/** Lets a shell complete every case, and returns the words offered for each. */
function complete(command: string, args: readonly string[], script: string): string[][] {
  // From a file: fish takes the socket that Node makes for a program's input for a folder.
  const file = join(createFolder({ script }), "script");
  const { stdout, stderr, status } = spawnSync(command, [...args, file], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout
    .split("--end--\n")
    .slice(0, -1)
    .map((part) => part.split("\n").map((line) => line.split("\t")[0] ?? ""));
}

function expectOffers(offers: readonly string[][]): void {
  expect(offers).toHaveLength(CASES.length);
  for (const [at, [line, offered, not]] of CASES.entries()) {
    expect([line, offers[at]]).toEqual([line, expect.arrayContaining([...offered])]);
    for (const word of not) expect([line, offers[at]]).toEqual([line, expect.not.arrayContaining([word])]);
  }
}

describe("a shell completes commands, flags and their values", () => {
  test("bash", async (context) => {
    need(context, "bash", commandExists("bash"));
    const lines = CASES.map(([line]) => {
      // As bash splits the line: at blanks, and around an equals sign.
      const words = line.split(/ |(=)/).filter((word) => word !== undefined);
      const quoted = words.map((word) => `'${word}'`).join(" ");
      return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _standin; printf '%s\\n' "\${COMPREPLY[@]}"; echo --end--`;
    });
    const script = bashCompletion(await completedCommands(COMMANDS));
    expectOffers(complete("bash", ["--norc"], [script, "complete -p standin >/dev/null", ...lines, ""].join("\n")));
  });

  test("fish", async (context) => {
    need(context, "fish", commandExists("fish"));
    const lines = CASES.map(([line]) => `complete -C '${line}'; echo --end--`);
    const script = fishCompletion(await completedCommands(COMMANDS));
    const offers = complete("fish", ["--no-config"], [script, ...lines, ""].join("\n"));
    // fish offers a value together with its flag.
    expectOffers(offers.map((words) => words.map((word) => word.replace(/^--\w+=/, ""))));
  });

  test("zsh", async (context) => {
    need(context, "zsh", commandExists("zsh"));
    const lines = CASES.map(([line]) => {
      const words = line.split(" ");
      const quoted = words.map((word) => `'${word}'`).join(" ");
      return `words=(${quoted}); CURRENT=${words.length}; PREFIX='${words.at(-1)}'; _standin; echo --end--`;
    });
    const script = zshCompletion(await completedCommands(COMMANDS));
    const start = `autoload -Uz compinit && compinit -u -D\n${script}\n(( $+functions[_standin] )) || exit 3`;
    expectOffers(complete("zsh", ["-f"], [start, ZSH_OUTSIDE_THE_EDITOR, ...lines, ""].join("\n")));
  });
});

/** zsh completes only while somebody types. These functions print what the real ones would offer. */
const ZSH_OUTSIDE_THE_EDITOR = `
offer() { local word; for word; do if [[ "$word" == "$PREFIX"* ]]; then print -r -- "\${word%%:*}"; fi; done }
compadd() { shift; offer "$@" }
_describe() { offer "\${(@P)argv[-1]}" }
compset() { PREFIX="\${PREFIX#*=}" }
_files() { : }`;

test("every flag of every command is in every script, and so are the allowed values", async () => {
  const commands = await completedCommands(COMMANDS);
  for (const script of [bashCompletion, zshCompletion, fishCompletion].map((write) => write(commands))) {
    for (const load of Object.values(COMMANDS)) {
      for (const option of Object.values((await load()).options ?? SERVE_OPTIONS)) {
        const flag = flagOf(option);
        if (flag === undefined) continue;
        expect(script).toMatch(new RegExp(`(--|-l )${flag}\\b`));
        for (const choice of option.choices ?? []) expect(script).toContain(choice);
      }
    }
  }
});
