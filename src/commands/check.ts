import { StartError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { OptionTable } from "../base/option.ts";
import { readIdKeys } from "../config/collections.ts";
import { DATA_OPTIONS, FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { type Checked, checkData, needsKeys, type RuleFinding } from "../schema/rules/check-data.ts";
import { loadRules } from "../schema/rules/read-rules.ts";
import type { Rules } from "../schema/rules/rules.ts";
import { IdKeys } from "../store/id-keys.ts";
import { readSource } from "../store/sources/read-source.ts";
import { withoutPassword } from "../store/sources/source-kind.ts";
import { defineCommand } from "./define-command.ts";
import { onlySource } from "./only-source.ts";
import { printable, type Terminal } from "./terminal.ts";

const { foreignKeySuffix, ...KEY_OPTIONS } = DATA_OPTIONS;
const OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to check; also accepted after check" },
  rules: { ...SERVE_OPTIONS.rules, help: "Rules to check the data against" },
  format: FORMAT_OPTION,
  ...KEY_OPTIONS,
  quiet: { ...SERVE_OPTIONS.quiet, help: "Print only violations" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin check [source] --rules rules.json`: lists the violations in the data; the exit code is 1 if there are any. */
export const checkCommand = defineCommand({
  name: "check",
  usage: "[source] --rules <file>",
  summary: "list the records that break rules; for CI",
  help: [
    "standin check [source] --rules <file>   list the records that break the rules",
    "",
    "Checks every record against its JSON Schema, and keys against x-unique and x-references.",
    "Prints one line for each violation: the record, the JSON pointer to the value, and the rule.",
    "The exit code is 1 if there are violations, otherwise 0.",
  ],
  examples: [
    "standin check --rules rules.json",
    "standin check postgres://localhost/shop --rules rules.json --format json",
  ],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const source = onlySource("check", options, words);
    if (options.rules === undefined) {
      throw new StartError("check needs rules: standin check db.json --rules rules.json. standin rules prints some.");
    }
    const rules = loadRules(options.rules);
    const keys = readIdKeys(options);
    const idKeys = IdKeys.from(keys);
    const output = options.format === "json" ? jsonOutput(terminal) : textOutput(terminal, withoutPassword(source));
    const passes = needsKeys(rules) ? 2 : 1;
    let pass = -1;
    const progress = terminal.progress("checking", options.quiet || options.format === "json" ? 0 : passes);
    let checked: Checked | undefined;
    try {
      await readSource(
        source,
        {
          ...keys,
          // Records that cannot be addressed are no violations, unless a rule says so.
          warn: () => {},
          postgres: postgresSettings(options),
          onProgress: (share) => progress.update(pass + share),
        },
        async (read) => {
          checked = await checkData({
            rules,
            idKeyOf: (name) => idKeys.of(name),
            read: () => {
              pass++;
              return read();
            },
            report: (finding) => {
              progress.end();
              output.report(finding);
            },
          });
        },
      );
    } finally {
      progress.end();
    }
    const unchecked = rules.size === 0 ? [noRules(options.rules)] : uncheckedRules(rules, checked!);
    for (const { text, isMistake } of unchecked) {
      if (isMistake || !options.quiet) terminal.error(`  ${isMistake ? "error" : "note"} ${printable(text)}`);
    }
    const hasRules = checked!.missing.length < rules.size;
    output.finish(checked!, options.quiet || !hasRules);
    if (checked!.violations > 0 || unchecked.some(({ isMistake }) => isMistake)) process.exitCode = 1;
  },
});

/** Rules for collections that the data does not have: mistakes, unless others were checked and the name is like none. */
function uncheckedRules(rules: Rules, { missing, names }: Checked): { text: string; isMistake: boolean }[] {
  const hasNone = missing.length > 0 && missing.length === rules.size;
  const known = names.filter((name) => !rules.has(name));
  return missing.map((name, at) => {
    const hint = didYouMean(name, known);
    const start = hasNone && at === 0 ? "nothing was checked: " : "";
    const text = `${start}there are rules for "${name}", but the data has no such collection.${hint}`;
    return { text, isMistake: hasNone || hint !== "" };
  });
}

function noRules(given: string | object): { text: string; isMistake: boolean } {
  const where = typeof given === "string" ? given : "the config file";
  return { text: `nothing was checked: ${where} has no rules. standin rules prints some.`, isMistake: true };
}

interface Output {
  report(finding: RuleFinding): void;
  finish(checked: Checked, quiet: boolean): void;
}

/** `products/3 /price minimum: must be at least 0 (given -1)` */
function textOutput(terminal: Terminal, source: string): Output {
  return {
    report({ collection, id, index, pointer, rule, message, given }) {
      const place = id === null ? `${collection}[${index}]` : `${collection}/${id}`;
      const where = `${terminal.style("bold", printable(place))} ${pointer === "" ? "" : `${printable(pointer)} `}`;
      const value = given === undefined ? "" : terminal.style("dim", ` (given ${printable(JSON.stringify(given))})`);
      terminal.print(`${where}${terminal.style("red", rule)}: ${printable(message)}${value}`);
    },
    finish({ records, violations }, quiet) {
      if (quiet) return;
      const checked = `${counted(records, "record")} of ${printable(source)}`;
      if (records === 0) terminal.print(`Nothing to check: ${printable(source)} has no records with rules.`);
      else if (violations === 0) terminal.print(`${checked} ${records === 1 ? "meets" : "meet"} the rules.`);
      else terminal.print(`\n${counted(violations, "violation")} in ${checked}.`);
    },
  };
}

/** One object: `{ "violations": [{ collection, id, index, pointer, rule, message, given }], "records", "count" }`. */
function jsonOutput(terminal: Terminal): Output {
  let last: string | undefined;
  return {
    report(finding) {
      terminal.print(last === undefined ? '{\n  "violations": [' : `${last},`);
      last = `    ${JSON.stringify(finding)}`;
    },
    finish({ records, violations }) {
      terminal.print(last ?? '{\n  "violations": [');
      terminal.print(`  ],\n  "records": ${records},\n  "count": ${violations}\n}`);
    },
  };
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
