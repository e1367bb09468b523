import { StartError } from "../base/errors.ts";
import { resolveRulesOptions } from "../config/commands/rules-options.ts";
import { readIdKeys } from "../config/id-keys.ts";
import { postgresSettings } from "../config/postgres-settings.ts";
import { refuseDocument } from "../features/openapi-source/served-source.ts";
import { renderRules } from "../schema/rules/starter/render-rules.ts";
import { StarterRules } from "../schema/rules/starter/starter-rules.ts";
import { IdKeys } from "../store/id-keys.ts";
import { readSource } from "../store/sources/read-source.ts";
import { rulesHelp } from "./help.ts";
import { createTerminal } from "./terminal.ts";

/** `standin rules [source]`: prints a starter rules file that the data passes. */
export async function rules(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveRulesOptions(argv, process.cwd());
  if (options.help) return terminal.print(rulesHelp());
  const [source = options.source, ...extra] = words;
  if (extra.length > 0) throw new StartError(`rules reads one source, but was given ${words.length}.`);
  refuseDocument(source, "rules");
  const notes: string[] = [];
  const keys = readIdKeys(options);
  const idKeys = IdKeys.from(keys);
  const starter = new StarterRules({
    idKeyOf: (name) => idKeys.of(name),
    foreignKeySuffix: options.foreignKeySuffix,
    ranges: options.ranges,
    note: (text) => notes.push(text),
  });
  const progress = terminal.progress("reading", options.quiet ? 0 : 1);
  try {
    await readSource(
      source,
      {
        ...keys,
        warn: (text) => notes.push(text),
        postgres: postgresSettings(options),
        onProgress: progress.update,
      },
      async (read) => {
        for await (const member of read()) {
          if (member.kind === "collection") await starter.addCollection(member.name, member.values);
          else if (member.kind === "singleton") starter.addSingleton(member.name, member.value);
        }
      },
    );
  } finally {
    progress.end();
  }
  terminal.print(renderRules(starter.finish()));
  if (!options.quiet) for (const note of notes) terminal.error(`  note ${note}`);
}
