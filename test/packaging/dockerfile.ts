import { readFileSync } from "node:fs";

/** One instruction of a Dockerfile: `RUN`, and what it says. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The stages of a Dockerfile, each with its instructions; comments are left out, continued lines joined. */
export function readDockerfile(path: string): Instruction[][] {
  const lines = readFileSync(path, "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`Not an instruction: ${line}`);
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The last instruction of that name, read as the JSON list that it is. */
export function listOf(stage: readonly Instruction[], name: string): string[] {
  const { text } = stage.findLast((instruction) => instruction.name === name)!;
  return JSON.parse(text.slice(text.indexOf("["))) as string[];
}

/** The paths that the build context leaves out, as .dockerignore lists them; exceptions begin with `!`. */
export function readIgnored(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}
