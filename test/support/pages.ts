import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One fenced block of a page: ```` ```json shop.json ```` has the language `json` and the name `shop.json`. */
export interface Block {
  readonly page: string;
  /** Where it begins, counting from 1. */
  readonly line: number;
  readonly language: string;
  readonly name: string | undefined;
  readonly lines: readonly string[];
}

/** A command of a `sh` block, and the output shown for it; undefined where the block shows none. */
export interface Step {
  readonly command: string;
  readonly shown: string | undefined;
}

export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The page without its blocks. */
  readonly prose: string;
}

/** Every page a reader meets: the ones at the root, all of docs/ and the examples. */
export function loadPages(): Page[] {
  const paths = [
    "README.md",
    "AGENTS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    ...pagesIn("docs"),
    ...pagesIn("examples"),
  ];
  return paths.map((path) => parsePage(path, readFileSync(path, "utf8")));
}

function pagesIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return paths.filter((path) => path.endsWith(".md") && !path.includes("node_modules")).sort();
}

function parsePage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (open && line === "```") {
      const [language = "", name] = open.info.split(" ");
      blocks.push({ page: path, line: open.line, language, name, lines: open.lines });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (line.startsWith("```")) open = { line: index + 1, info: line.slice(3), lines: [] };
    else prose.push(line);
  }
  if (open) throw new Error(`${path}:${open.line}: the block is never closed.`);
  return { path, text, blocks, prose: prose.join("\n") };
}

/**
 * The commands of a `sh` block. Where lines begin with `$ `, those are the commands and the lines below each are its
 * output; in any other block every line is a command. A command that ends in a backslash goes on in the next line.
 */
export function stepsOf({ lines }: Block): Step[] {
  const joined = lines.join("\n").replace(/ \\\n\s*/g, " ");
  if (!/^\$ /m.test(joined)) {
    const commands = joined.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
    return commands.map((command) => ({ command, shown: undefined }));
  }
  const [before, ...steps] = `\n${joined}`.split("\n$ ");
  if (before?.trim()) throw new Error(`Output without a command: ${before}`);
  return steps.map((step) => {
    const [command = "", ...output] = step.split("\n");
    return { command, shown: trimLines(output.join("\n")) };
  });
}

/** Without empty lines around it; the first line keeps its indent. */
export function trimLines(text: string): string {
  return text.replace(/^\n+/, "").trimEnd();
}
