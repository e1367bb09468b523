import { StartError } from "../base/errors.ts";
import { meantOption } from "../base/nearest.ts";
import { allowedValues, isAllowed, type OptionTable } from "../base/option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import type { CommonOptions, StandinOptions } from "./program-options.ts";

type Rows = typeof SERVE_OPTIONS;
/** The options with a row that programs have, too. */
type RowOfPrograms = {
  [K in keyof Rows]: Rows[K] extends { only: "flag" } | { inPrograms: false } ? never : K;
}[keyof Rows];
type ProgramOption = keyof CommonOptions | "data" | "source";

const ROWS: OptionTable = SERVE_OPTIONS;
const OF_PROGRAMS = Object.keys(ROWS).filter(
  (name) => ROWS[name]?.only !== "flag" && ROWS[name]?.inPrograms !== false,
) as RowOfPrograms[];

/** Options without a row. The type holds that none is missing. */
const WITHOUT_ROW: Readonly<Record<Exclude<ProgramOption, RowOfPrograms>, true>> = {
  adminToken: true,
  compression: true,
  console: true,
  cors: true,
  heartbeatMs: true,
  jsonp: true,
  maxBodyBytes: true,
  persist: true,
  warn: true,
};

/** The names of the options of `createStandin`. The type holds that each has a description. */
export const KNOWN_OPTIONS: readonly ProgramOption[] = [
  ...OF_PROGRAMS,
  ...(Object.keys(WITHOUT_ROW) as ProgramOption[]),
];

/** Refuses options that JavaScript lets through: none at all, a misspelt name, an impossible port or delay. */
export function expectOptions(given: StandinOptions<object>): void {
  expectNames(given, KNOWN_OPTIONS, {
    name: "createStandin",
    needs: "data or a source: createStandin({ data: { products: [] } })",
    onlyInCommand: Object.keys(ROWS),
  });
}

interface Called {
  /** The function that was called. */
  readonly name: string;
  /** Its least options in words. */
  readonly needs: string;
  /** Options that the command line has in addition. */
  readonly onlyInCommand?: readonly string[];
}

/** Refuses options that are no object, names that the function does not know, and numbers out of their range. */
export function expectNames(given: unknown, known: readonly string[], called: Called): void {
  const { name, needs, onlyInCommand } = called;
  if (typeof given !== "object" || given === null) throw new StartError(`${name} needs ${needs}.`);
  for (const [option, value] of Object.entries(given)) {
    const row = ROWS[option];
    if (known.includes(option)) {
      // The limits of sandboxes are an object here, and "auto" is a word of the command line.
      const isNumber = row !== undefined && /^integer/.test(row.type) && typeof (value ?? {}) !== "object";
      const number = { ...row!, type: "integer" as const };
      if (!isNumber || isAllowed(number, value)) continue;
      throw new StartError(`${name}: "${option}" is ${value}; it must be ${allowedValues(number)}.`);
    }
    const meant = meantOption(option, typeof value === "string" ? known : known.filter((one) => one !== "source"));
    const isCommands = onlyInCommand?.includes(option) === true;
    const hint = isCommands ? " Only the command line has it." : meant === undefined ? "" : ` Did you mean "${meant}"?`;
    throw new StartError(`${name} has no option "${option}".${hint}`);
  }
}
