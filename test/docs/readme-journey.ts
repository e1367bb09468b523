import { type Block, loadPages, type Step, stepsOf } from "../support/pages.ts";

/** Files to save, and commands to type, in the order of the README. */
export interface Journey {
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly Step[];
}

/** Blocks of these sections that offer another way to the same place. */
const OTHER_WAYS = ["npm ci && npm test", "npx standin db.json", "docker run "];

/** The way of a new user through the README: from a fresh clone to tests with a sandbox each. */
export function readmeJourney(): Journey {
  const page = loadPages().find(({ path }) => path === "README.md");
  if (!page) throw new Error("There is no README.md.");
  const lines = page.text.split("\n");
  const below = (heading: string): Block[] => {
    const from = lines.indexOf(heading);
    const to = lines.findIndex((line, at) => at > from && /^#{2,3} /.test(line));
    if (from === -1) throw new Error(`README.md has no heading "${heading}".`);
    return page.blocks.filter(({ line }) => line > from && line <= to);
  };
  const blocks = [...below("## Start"), ...below("### You write tests")];
  const isOther = (step: Step): boolean => OTHER_WAYS.some((way) => step.command.startsWith(way));
  return {
    files: new Map(blocks.flatMap(({ name, lines }) => (name === undefined ? [] : [[name, `${lines.join("\n")}\n`]]))),
    steps: blocks
      .filter(({ language }) => language === "sh")
      .flatMap(stepsOf)
      .filter((step) => !isOther(step)),
  };
}
