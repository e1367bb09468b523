import { checkCode } from "./check-code.ts";
import { isBetaVersion, readPackage } from "./check-package.ts";
import { checkStart } from "./check-start.ts";
import { type Finding, LEVELS } from "./finding.ts";
import { Project } from "./project.ts";
import { readStarts } from "./start.ts";

/** The doctor's findings about a project. */
export interface Diagnosis {
  readonly folder: string;
  /** The version of json-server it depends on; undefined if there is none. */
  readonly version: string | undefined;
  /** Whether it uses json-server 1.0 beta. */
  readonly isBeta: boolean;
  /** Whether anything in it uses json-server. */
  readonly isUser: boolean;
  readonly findings: readonly Finding[];
  /** The packages that load json-server by its name. */
  readonly needsName: readonly string[];
}

/** Examines a project that uses json-server, without running or writing anything. */
export function examine(folder: string): Diagnosis {
  const project = new Project(folder);
  const { findings: ofPackage, version, scripts, needsName } = readPackage(project);
  const findings = [...ofPackage];
  const read = scripts.map((script) => readStarts(script));
  findings.push(...read.flatMap((one) => (Array.isArray(one) ? [] : [one])));
  const starts = read.flatMap((one) => (Array.isArray(one) ? one : []));
  for (const { program, args, script } of starts) {
    findings.push(...checkStart(project, { program, args, place: script.place }));
  }
  const config = ["json-server.json", "standin.json"].find((name) => project.read(name) !== undefined);
  if (starts.length === 0 && config !== undefined) {
    const place = { file: config, line: undefined };
    findings.push(...checkStart(project, { program: "json-server", args: [], place }));
  }
  const isBeta = version !== undefined && isBetaVersion(version);
  const code = project.code();
  const isUser =
    version !== undefined || findings.length > 0 || code.some(({ text }) => /["']json-server["'/]/.test(text));
  if (isUser) findings.push(...code.flatMap((source) => checkCode(source, isBeta)));
  const auth = starts.some(({ program }) => program === "json-server-auth") ? ["json-server-auth"] : [];
  return {
    folder: project.folder,
    version,
    isBeta,
    isUser,
    findings: inOrder(findings),
    needsName: [...new Set([...needsName, ...auth])],
  };
}

/** Sorts findings by severity, then by place, without duplicates. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const unlike = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...unlike.values()].sort(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)),
  );
}
