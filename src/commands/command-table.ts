import { addEnvFile } from "../config/env-file.ts";
import type { CommandTable } from "./define-command.ts";
import { serve } from "./serve.ts";

/**
 * Every command besides `standin [source]`, in the order of the help. A command is loaded when it is used: this table is
 * read at every start.
 */
export const COMMANDS: CommandTable = {
  init: async () => (await import("./init.ts")).initCommand,
  generate: async () => (await import("./generate.ts")).generateCommand,
  hosted: async () => (await import("./hosted.ts")).hostedCommand,
  "hosted export": async () => (await import("./hosted-export.ts")).hostedExportCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  browser: async () => (await import("./browser.ts")).browserCommand,
  types: async () => (await import("./types.ts")).typesCommand,
  client: async () => (await import("./client.ts")).clientCommand,
  requests: async () => (await import("./requests.ts")).requestsCommand,
  rules: async () => (await import("./rules.ts")).rulesCommand,
  check: async () => (await import("./check.ts")).checkCommand,
  record: async () => (await import("./record.ts")).recordCommand,
  bind: async () => (await import("./bind.ts")).bindCommand,
  drift: async () => (await import("./drift.ts")).driftCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  history: async () => (await import("./history.ts")).historyCommand,
  "history revert": async () => (await import("./history-revert.ts")).historyRevertCommand,
  "files clean": async () => (await import("./files-clean.ts")).filesCleanCommand,
  snapshots: async () => (await import("./snapshots.ts")).snapshotsCommand,
  import: async () => (await import("./import.ts")).importCommand,
  export: async () => (await import("./export.ts")).exportCommand,
  convert: async () => (await import("./convert.ts")).convertCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  secret: async () => (await import("./secret.ts")).secretCommand,
  help: async () => (await import("./help.ts")).helpCommand,
  version: async () => (await import("./version.ts")).versionCommand,
};

/** Runs the command that the first words name, otherwise serves: a name wins over a file or folder of that name. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  addEnvFile(argv, process.cwd(), process.env);
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(" ");
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (load) return (await load()).run(argv.slice(words), COMMANDS);
  }
  await serve(argv, COMMANDS);
}
