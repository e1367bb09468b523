import { statSync } from "node:fs";
import { resolveDoctorOptions } from "../config/commands/doctor-options.ts";
import { type Diagnosis, examine } from "../doctor/examine.ts";
import { type Finding, LEVELS, needsWork, type Place } from "../doctor/finding.ts";
import { StartError } from "../errors.ts";
import { refuseDocument } from "../features/document/served-source.ts";
import { doctorHelp } from "./help.ts";
import { createTerminal, printable, type Terminal } from "./terminal.ts";

const COLOURS = { broken: "red", change: "yellow", differs: "cyan", works: "green" } as const;

/** `standin doctor [folder]`: checks a project that uses json-server and prints what to change to run it on standin. */
export async function doctor(argv: readonly string[]): Promise<void> {
  const terminal = createTerminal();
  const { options, words } = resolveDoctorOptions(argv);
  if (options.help) return terminal.print(doctorHelp());
  const [folder = ".", ...extra] = words;
  if (extra.length > 0) throw new StartError(`doctor checks one folder, but was given ${words.length}.`);
  refuseDocument(folder, "doctor", "the folder of a project");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new StartError(`${folder} is not a folder.`);
  const diagnosis = examine(folder);
  if (options.format === "json") terminal.print(JSON.stringify(diagnosis, null, 2));
  else printDiagnosis(terminal, diagnosis);
  if (diagnosis.findings.some(needsWork)) process.exitCode = 1;
}

function printDiagnosis(terminal: Terminal, { findings, mentions, version }: Diagnosis): void {
  if (mentions.length === 0 && findings.length === 0) {
    terminal.print("Nothing here uses json-server: no dependency, no script, no import, no config file.");
    return;
  }
  if (version !== undefined) terminal.print(`This project uses json-server ${printable(version)}.\n`);
  for (const finding of findings) printFinding(terminal, finding);
  const counts = LEVELS.map((level) => [level, findings.filter((finding) => finding.level === level).length] as const);
  const summary = counts.filter(([, count]) => count > 0).map(([level, count]) => `${count} ${level}`);
  terminal.print(`\n${summary.join(", ")}.`);
  if (mentions.length === 0) return;
  terminal.print("\nTo switch, install standin and put it in place of json-server here:");
  for (const { text, ...place } of mentions)
    terminal.print(`  ${placeOf(place)}  ${terminal.style("dim", printable(text))}`);
}

function printFinding(terminal: Terminal, { level, message, fix, ...place }: Finding): void {
  const label = terminal.style(COLOURS[level], level.padEnd(8));
  terminal.print(`${label}${terminal.style("bold", placeOf(place))}  ${printable(message)}`);
  if (fix !== undefined) terminal.print(`        ${terminal.style("dim", "fix:")} ${fix}`);
}

function placeOf({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}
