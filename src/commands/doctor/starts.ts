import type { PackageScript } from "./check-package.ts";
import type { Finding, Place } from "./finding.ts";
import { hasUnreadStart, type Invocation, invocationsIn } from "./invocation.ts";
import type { SourceText } from "./project.ts";

/** A command that starts json-server, and its place. */
export interface Start {
  readonly place: Place;
  readonly invocation: Invocation;
  /** The line as the user wrote it. */
  readonly text: string;
}

/** The starts of a project, and its lines that could not be read. */
export interface Starts {
  readonly starts: readonly Start[];
  readonly findings: readonly Finding[];
}

const UNREAD = {
  level: "check",
  message: "This line runs json-server in a way that standin doctor does not understand. It was not checked.",
  fix: "Check its flags and its data file yourself.",
} as const;

/** Finds the starts in the scripts of package.json, and in shell scripts, Dockerfiles and workflows. */
export function findStarts(scripts: readonly PackageScript[], sources: readonly SourceText[]): Starts {
  const starts: Start[] = [];
  const findings: Finding[] = [];
  const read = (place: Place, command: string, text: string): void => {
    starts.push(...invocationsIn(command).map((invocation) => ({ place, invocation, text })));
    if (hasUnreadStart(command)) findings.push({ ...place, ...UNREAD });
  };
  for (const { name, text, line } of scripts) read({ file: "package.json", line }, text, `"${name}": "${text}"`);
  for (const source of sources.filter(({ file }) => !isCode(file))) {
    for (const { place, text } of commandLines(source)) read(place, text, text);
  }
  return { starts, findings };
}

/** Whether a file has code, and not commands. */
export function isCode(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

/** The lines that name json-server; a Dockerfile may have a JSON array of words. */
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
