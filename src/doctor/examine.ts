import { join } from "node:path";
import { readIdKeys } from "../config/id-keys.ts";
import type { ServeOptions } from "../config/options.ts";
import { IdKeys } from "../store/id-keys.ts";
import { asksBeta, checkCode, importsIn } from "./check-code.ts";
import { checkCommand } from "./check-command.ts";
import { checkData } from "./check-data.ts";
import { isBetaVersion, readPackage } from "./check-package.ts";
import { checkRules } from "./check-rules.ts";
import { type Finding, LEVELS, type Mention, type Place } from "./finding.ts";
import { type Invocation, invocationsIn } from "./invocation.ts";
import { Project, type SourceText } from "./project.ts";

/** The doctor's findings about a project. */
export interface Diagnosis {
  readonly folder: string;
  /** The version of json-server it depends on; undefined if there is none. */
  readonly version: string | undefined;
  readonly findings: readonly Finding[];
  /** The places that name json-server. */
  readonly mentions: readonly Mention[];
}

interface Start extends Place {
  readonly invocation: Pick<Invocation, "args" | "program">;
}

/** Built-in layers, which are configured like middlewares. */
const LAYERS = new Set(["logger", "cors", "latency", "api-key", "bearer", "signed-token", "rate-limit"]);

/** Examines a project that uses json-server, and the projects inside it, without running or writing anything. */
export function examine(folder: string): Diagnosis {
  const project = new Project(folder);
  const whole = examineOne(project);
  const parts = project.parts().map((part) => ({ part, ...examineOne(new Project(join(folder, part))) }));
  const within = <T extends Place>(part: string, found: readonly T[]): T[] =>
    found.map((one) => ({ ...one, file: `${part}/${one.file}` }));
  return {
    folder: project.folder,
    version: whole.version ?? parts.find(({ version }) => version !== undefined)?.version,
    findings: inOrder([...whole.findings, ...parts.flatMap(({ part, findings }) => within(part, findings))]),
    mentions: [...whole.mentions, ...parts.flatMap(({ part, mentions }) => within(part, mentions))],
  };
}

function examineOne(project: Project): Omit<Diagnosis, "folder"> {
  const { findings: ofPackage, mentions: ofDependencies, version, scripts } = readPackage(project);
  const sources = project.sources((text) => text.includes("json-server"));
  const mentions = [...ofDependencies];
  const starts: Start[] = [];
  const addStarts = (place: Place, text: string, shown = text.trim()): void => {
    for (const invocation of invocationsIn(text)) {
      starts.push({ ...place, invocation });
      mentions.push({ ...place, text: shown });
    }
  };
  for (const { name, text, line } of scripts) addStarts({ file: "package.json", line }, text, `"${name}": "${text}"`);
  for (const source of sources) {
    mentions.push(...importsIn(source));
    if (!isCode(source)) for (const { place, text } of commandLines(source)) addStarts(place, text);
  }
  const isBeta = [version, ...starts.map(({ invocation }) => (invocation as Invocation).version)].some(
    (one) => one !== undefined && isBetaVersion(one),
  );
  const findings = [...ofPackage, ...sources.filter(isCode).flatMap((source) => checkCode(source, isBeta))];
  if (isBeta) findings.push(...betaRequests(project, sources));
  if (
    starts.length === 0 &&
    (project.read("json-server.json") !== undefined || project.read("standin.json") !== undefined)
  ) {
    starts.push({ file: "json-server.json", line: undefined, invocation: { program: "json-server", args: [] } });
  }
  for (const start of starts) findings.push(...checkStart({ project, sources, isBeta }, start));
  return { version, findings, mentions };
}

interface Examination {
  readonly project: Project;
  readonly sources: readonly SourceText[];
  readonly isBeta: boolean;
}

function checkStart(examination: Examination, start: Start): Finding[] {
  const place = { file: start.file, line: start.line };
  const { findings, options } = checkCommand(examination.project, start.invocation, place);
  if (!options) return [...findings];
  const works: Finding = { ...place, level: "works", message: "Its flags are understood." };
  return [...findings, works, ...checkFiles(examination, options, place)];
}

function checkFiles({ project, sources, isBeta }: Examination, options: ServeOptions, place: Place): Finding[] {
  const findings: Finding[] = [];
  const source = plainPath(options.source);
  const isAddress = /^\w+:\/\//.test(source);
  const isThere = isAddress || project.read(source) !== undefined || project.isFolder(source);
  // The working directory of a container or workflow is unknown.
  if (!isThere && place.file !== "package.json") return [];
  const idKeys = IdKeys.from(readIdKeys(options));
  if (source.endsWith(".json")) findings.push(...checkData(project, { file: source, idKeys, place }));
  else if (!isThere) findings.push({ ...place, level: "broken", message: `${source} does not exist.` });
  if (options.source.endsWith(".json5")) {
    const message = `${options.source}: JSON5 is read by json-server 1.0 beta; standin reads JSON.`;
    findings.push({ ...place, level: "broken", message, fix: "Save the data as JSON." });
  }
  if (options.routes !== undefined) findings.push(...checkRules(project, plainPath(options.routes)));
  for (const file of options.middlewares ?? []) {
    if (LAYERS.has(file)) continue;
    const text = project.read(file);
    if (text !== undefined) {
      const isKnown = sources.some((source) => source.file === plainPath(file));
      if (!isKnown) findings.push(...checkCode({ file: plainPath(file), text }, isBeta));
      findings.push({ ...place, level: "works", message: `The middleware ${file} runs on Express 4, as before.` });
    } else if (/^[./]/.test(file) && !file.includes("node_modules/") && !hasModule(project, file)) {
      findings.push({ ...place, level: "broken", message: `The middleware ${file} does not exist.` });
    }
  }
  return findings;
}

function plainPath(file: string): string {
  return file.replace(/^\.\//, "");
}

/** Whether a middleware exists that is named without its extension, or by its folder. */
function hasModule(project: Project, file: string): boolean {
  return [".js", ".cjs", ".mjs", ".ts", "/index.js"].some((ending) => project.read(`${file}${ending}`) !== undefined);
}

/** The uses of 1.0 beta in all code of the project. */
function betaRequests(project: Project, known: readonly SourceText[]): Finding[] {
  const others = project.sources(asksBeta).filter(({ file }) => !known.some((source) => source.file === file));
  return others.flatMap((source) => checkCode(source, true));
}

function isCode({ file }: SourceText): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

/** The command lines of shell scripts, Dockerfiles and workflows; a Dockerfile may have a JSON array of words. */
function commandLines({ file, text }: SourceText): { place: Place; text: string }[] {
  return text.split("\n").flatMap((content, at) => {
    if (!content.includes("json-server") || /^\s*#/.test(content)) return [];
    const command = content.replace(/^\s*(?:-\s*)?(?:run|command|script|CMD|ENTRYPOINT|RUN|web)\s*:?\s*/, "");
    const words = /^\[(.*)\]\s*$/.exec(command)?.[1];
    return [
      { place: { file, line: at + 1 }, text: (words?.replaceAll('"', "").replaceAll(",", " ") ?? command).trim() },
    ];
  });
}

/** Sorts findings by severity, then by place, without duplicates; lists what works once per file. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const unlike = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.file, finding.level === "works" ? "" : finding.line, finding.message]);
    if (!unlike.has(key)) unlike.set(key, finding);
  }
  return [...unlike.values()].sort(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)),
  );
}
