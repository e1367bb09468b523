import { statSync } from "node:fs";
import { StartError } from "../base/errors.ts";
import { FORMAT_OPTION } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { defineCommand } from "./define-command.ts";
import { type Diagnosis, examine } from "./doctor/examine.ts";
import { type Finding, LEVELS, needsWork, type Place } from "./doctor/finding.ts";
import { printable, type Terminal } from "./terminal.ts";

/** The packages as `npm pack` in a clone writes them: they are not on npm yet. */
const INSTALL = "npm install --save-dev ../standin/standin-0.1.0.tgz";
const INSTALL_AS_JSON_SERVER = `${INSTALL} json-server@file:../standin/standin-json-server-0.17.100.tgz`;

const COLOURS = { broken: "red", change: "yellow", check: "yellow", differs: "cyan", works: "green" } as const;

/** `standin doctor [folder]`: checks a project that uses json-server and prints what to change to run it on standin. */
export const doctorCommand = defineCommand({
  name: "doctor",
  usage: "[folder]",
  summary: "check a json-server project and list what to change",
  help: [
    "standin doctor [folder] [options]   check a project that uses json-server and list what to change",
    "",
    "Reads package.json, the config file, the data file, the rewrite file and the imports of json-server",
    "in the folder (default: the current one), not those of projects inside it. Does not run the project's code, and writes nothing.",
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
  const { findings, isUser, version } = diagnosis;
  if (!isUser) {
    terminal.print("Nothing here uses json-server: no dependency, no script, no import, no config file.");
    return;
  }
  if (version !== undefined) terminal.print(`This project uses json-server ${printable(version)}.\n`);
  for (const finding of findings) printFinding(terminal, finding);
  terminal.print(`\n${summaryOf(findings)}`);
  printSwitch(terminal, diagnosis);
}

function summaryOf(findings: readonly Finding[]): string {
  const counts = LEVELS.map((level) => [findings.filter((one) => one.level === level).length, level] as const);
  const parts = counts.flatMap(([count, level]) => (count === 0 ? [] : [`${count} ${level}`]));
  return parts.length === 0 ? "Nothing to change." : `${parts.join(", ")}.`;
}

/** Prints how to switch: by the old name, unless it stands for 1.0 beta, or by the new one, unless a package needs the old. */
function printSwitch(terminal: Terminal, { needsName, isBeta }: Diagnosis): void {
  const isKept = needsName.length > 0 || !isBeta;
  const reason = needsName.length > 0 ? `, for ${needsName.join(" and ")}` : "";
  terminal.print("\nTo switch, pack standin beside this project (docs/guide/getting-started.md).");
  if (isKept) {
    terminal.print(`Keep the name json-server${reason}, and change nothing else:`);
    terminal.print(`  ${terminal.style("dim", INSTALL_AS_JSON_SERVER)}`);
  }
  if (needsName.length > 0) return;
  terminal.print(`${isKept ? "Or write" : "Write"} standin${isBeta ? " --dialect 1" : ""} for json-server in scripts:`);
  terminal.print(`  ${terminal.style("dim", INSTALL)}`);
}

function printFinding(terminal: Terminal, { level, message, fix, ...place }: Finding): void {
  const label = terminal.style(COLOURS[level], level.padEnd(8));
  terminal.print(`${label}${terminal.style("bold", placeOf(place))}  ${printable(message)}`);
  if (fix !== undefined) terminal.print(`        ${terminal.style("dim", "fix:")} ${printable(fix)}`);
}

function placeOf({ file, line }: Place): string {
  return printable(line === undefined ? file : `${file}:${line}`);
}
