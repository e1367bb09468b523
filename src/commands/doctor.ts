import { statSync } from "node:fs";
import { StartError } from "../base/errors.ts";
import { FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { defineCommand } from "./define-command.ts";
import { type Diagnosis, examine } from "./doctor/examine.ts";
import { type Finding, LEVELS, type Level, needsWork, type Place } from "./doctor/finding.ts";
import { ALIAS_LINE, type Mention } from "./doctor/mention.ts";
import { printable, type Terminal } from "./terminal.ts";

const COLOURS = { broken: "red", change: "yellow", check: "yellow", differs: "cyan", works: "green" } as const;

const SUMMARIES: Readonly<Record<Level, (count: number) => string>> = {
  broken: (count) => `${count} broken`,
  change: (count) => `${count} to change`,
  check: (count) => `${count} to check`,
  differs: (count) => `${count} ${count === 1 ? "difference" : "differences"} on purpose`,
  works: (count) => `${count} ${count === 1 ? "works" : "work"} unchanged`,
};

/** `standin doctor [folder]`: checks a project that uses json-server and prints what to change to run it on standin. */
export const doctorCommand = defineCommand({
  name: "doctor",
  usage: "[folder]",
  summary: "check a json-server project and list what to change",
  help: [
    "standin doctor [folder] [options]   check a project that uses json-server and list what to change",
    "",
    "Reads package.json, the config file, the data file, the rewrite file, middlewares and custom servers",
    "in the folder (default: the current one). Does not run the project's code, and writes nothing.",
    "",
    "Each finding has a level",
    "  broken    does not start, in standin and often in json-server, too",
    "  change    starts, but behaves differently; the fix says what to write instead",
    "  check     not understood; check it yourself",
    "  differs   behaves differently on purpose; change it only if you rely on the old behaviour",
    "  works     works unchanged",
    "The exit code is 1 if something is broken, needs a change or must be checked, otherwise 0.",
  ],
  examples: ["standin doctor", "standin doctor ../shop --format json"],
  options: { format: FORMAT_OPTION, help: SERVE_OPTIONS.help },
  run({ options, words, terminal }) {
    const [folder = ".", ...extra] = words;
    if (extra.length > 0) throw new StartError(`doctor checks one folder, but was given ${words.length}.`);
    refuseDocument(folder, "doctor", "the folder of a project");
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new StartError(`${folder} is not a folder.`);
    const diagnosis = examine(folder);
    if (options.format === "json") terminal.print(JSON.stringify(diagnosis, null, 2));
    else printDiagnosis(terminal, diagnosis);
    if (diagnosis.findings.some(needsWork)) process.exitCode = 1;
  },
});

function printDiagnosis(terminal: Terminal, diagnosis: Diagnosis): void {
  const { findings, mentions, version } = diagnosis;
  if (mentions.length === 0 && findings.length === 0) {
    terminal.print("Nothing here uses json-server: no dependency, no script, no import, no config file.");
    return;
  }
  if (version !== undefined) terminal.print(`This project uses json-server ${printable(version)}.\n`);
  for (const finding of findings) printFinding(terminal, finding);
  terminal.print(`\n${summaryOf(findings)}`);
  if (mentions.length > 0 || diagnosis.needsName.length > 0) printSwitch(terminal, diagnosis);
}

function summaryOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return "Nothing to change.";
  const parts = LEVELS.flatMap((level) => {
    const count = findings.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [SUMMARIES[level](count)];
  });
  return `${parts.join(", ")}.`;
}

/** Prints both ways to switch, or the only one if a package looks for the name json-server. */
function printSwitch(terminal: Terminal, { mentions, needsName, isBeta }: Diagnosis): void {
  const isKept = needsName.length > 0 || mentions.some(({ replacement }) => replacement === undefined);
  const print = (found: readonly Mention[]): void => {
    for (const { text, replacement = text, ...place } of found)
      terminal.print(`  ${placeOf(place)}  ${terminal.style("dim", printable(replacement))}`);
  };
  const dependencies = mentions.filter(({ kind }) => kind === "dependency");
  const lines = mentions.filter(({ kind }) => kind !== "dependency");
  if (isKept || (dependencies.length > 0 && !isBeta)) {
    const reason =
      needsName.length > 0 ? `, which ${needsName.join(" and ")} ${needsName.length > 1 ? "look" : "looks"} for` : "";
    terminal.print(
      `\nTo switch, keep the name json-server${reason}: write this line in package.json, and change nothing else.`,
    );
    if (dependencies.length > 0) print(dependencies);
    else terminal.print(`  package.json  ${terminal.style("dim", ALIAS_LINE)}`);
  }
  if (isKept || lines.length === 0) return;
  terminal.print(
    `\n${dependencies.length > 0 && !isBeta ? "Or replace" : "To switch, replace"} json-server with the package standin, and write these lines:`,
  );
  print(lines);
}

function printFinding(terminal: Terminal, { level, message, fix, ...place }: Finding): void {
  const label = terminal.style(COLOURS[level], level.padEnd(8));
  terminal.print(`${label}${terminal.style("bold", placeOf(place))}  ${printable(message)}`);
  if (fix !== undefined) terminal.print(`        ${terminal.style("dim", "fix:")} ${printable(fix)}`);
}

function placeOf({ file, line }: Place): string {
  return printable(line === undefined ? file : `${file}:${line}`);
}
