import { commandsIn } from "./shell-words.ts";

/** A command that starts json-server. */
export interface Invocation {
  readonly program: "json-server" | "json-server-auth";
  /** As in `npx json-server@0.17.4`. */
  readonly version: string | undefined;
  readonly args: readonly string[];
}

/** Programs that run another one, and their subcommands. */
const RUNNERS = new Set(
  "npx npm pnpm yarn bun bunx pnpx node nodemon exec dlx run cross-env dotenv env x start nice time".split(" "),
);
const NAMED = /(?:^|\/)(json-server(?:-auth)?)(?:@([^/]+))?(?:\.cmd)?$/;
const BY_FILE = /node_modules\/(json-server(?:-auth)?)\/(?:lib|bin|dist)\/.*\.js$/;

/** All starts of json-server in a script of package.json, a shell script or a line of a Dockerfile. */
export function invocationsIn(script: string): Invocation[] {
  return commandsIn(script).flatMap((words) => {
    const found = invocationOf(words);
    return found ? [found] : [];
  });
}

function invocationOf(words: readonly string[]): Invocation | undefined {
  for (const [position, word] of words.entries()) {
    const [, program, version] = NAMED.exec(word) ?? BY_FILE.exec(word) ?? [];
    if (program !== undefined) {
      return { program: program as Invocation["program"], version, args: words.slice(position + 1) };
    }
    const isBeforeIt = RUNNERS.has(word) || /^-|^\w+=/.test(word);
    if (!isBeforeIt) return undefined;
  }
  return undefined;
}
