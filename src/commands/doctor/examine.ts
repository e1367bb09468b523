import { join } from "node:path";
import { asksBeta, checkCode, importsIn } from "./check-code.ts";
import { isBetaVersion, readPackage } from "./check-package.ts";
import { checkStart } from "./check-start.ts";
import { type Finding, LEVELS, type Place } from "./finding.ts";
import { commandMention, type Mention } from "./mention.ts";
import { Project, type SourceText } from "./project.ts";
import { findStarts, isCode, type Start } from "./starts.ts";

/** The doctor's findings about a project. */
export interface Diagnosis {
  readonly folder: string;
  /** The version of json-server it depends on; undefined if there is none. */
  readonly version: string | undefined;
  /** Whether it uses json-server 1.0 beta. */
  readonly isBeta: boolean;
  readonly findings: readonly Finding[];
  /** The places that name json-server. */
  readonly mentions: readonly Mention[];
  /** The packages that load json-server by its name. */
  readonly needsName: readonly string[];
}

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
    isBeta: whole.isBeta || parts.some(({ isBeta }) => isBeta),
    findings: inOrder([...whole.findings, ...parts.flatMap(({ part, findings }) => within(part, findings))]),
    mentions: [...whole.mentions, ...parts.flatMap(({ part, mentions }) => within(part, mentions))],
    needsName: [...new Set([...whole.needsName, ...parts.flatMap(({ needsName }) => needsName)])],
  };
}

function examineOne(project: Project): Omit<Diagnosis, "folder"> {
  const { findings: ofPackage, mentions: ofDependencies, version, scripts, needsName } = readPackage(project);
  const sources = project.sources((text) => text.includes("json-server"));
  const { starts, findings: unread } = findStarts(scripts, sources);
  const versions = [version, ...starts.map(({ invocation }) => invocation.version)];
  const isBeta = versions.some((one) => one !== undefined && isBetaVersion(one));
  const code = sources.filter(({ file }) => isCode(file));
  const findings = [...ofPackage, ...unread, ...code.flatMap((source) => checkCode(source, isBeta))];
  if (isBeta) findings.push(...betaRequests(project, sources));
  for (const start of starts.length > 0 ? starts : configuredStart(project)) {
    findings.push(...checkStart({ project, sources, isBeta }, start));
  }
  const mentions = [
    ...ofDependencies,
    ...starts.map(({ place, text }) => commandMention(place, text, isBeta ? " --dialect 1" : "")),
    ...code.flatMap(importsIn),
  ];
  const auth = starts.flatMap(({ invocation }) => (invocation.program === "json-server" ? [] : [invocation.program]));
  return { version, isBeta, findings, mentions, needsName: [...new Set([...needsName, ...auth])] };
}

/** A start without a command: that of the config file. */
function configuredStart(project: Project): Start[] {
  const file = ["json-server.json", "standin.json"].find((name) => project.read(name) !== undefined);
  if (file === undefined) return [];
  const invocation = { program: "json-server", version: undefined, args: [], folder: "" } as const;
  return [{ place: { file, line: undefined }, invocation, text: file }];
}

/** The uses of 1.0 beta in all code of the project. */
function betaRequests(project: Project, known: readonly SourceText[]): Finding[] {
  const others = project.sources(asksBeta).filter(({ file }) => !known.some((source) => source.file === file));
  return others.flatMap((source) => checkCode(source, true));
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
