import { StartError } from "../base/errors.ts";
import { meantOption } from "../base/meant-option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import type { CommonOptions, StandinOptions } from "./program-options.ts";

/** The names of the options of `createStandin`. The type holds that none is missing. */
export const KNOWN_OPTIONS: Readonly<Record<keyof CommonOptions | "data" | "source", true>> = {
  access: true,
  adminToken: true,
  allowOutsideRefs: true,
  allowedHosts: true,
  base: true,
  bind: true,
  bodyParser: true,
  clock: true,
  collections: true,
  compression: true,
  console: true,
  cors: true,
  data: true,
  delay: true,
  dialect: true,
  fallback: true,
  fallbackWrites: true,
  faults: true,
  files: true,
  foreignKeySuffix: true,
  header: true,
  heartbeatMs: true,
  history: true,
  hookTargets: true,
  hooks: true,
  host: true,
  id: true,
  insecure: true,
  jsonp: true,
  layers: true,
  maxBodyBytes: true,
  maxFileBytes: true,
  middlewares: true,
  origin: true,
  persist: true,
  pluginOptions: true,
  plugins: true,
  port: true,
  pretty: true,
  queryBudget: true,
  readOnly: true,
  relations: true,
  routes: true,
  rules: true,
  sandboxes: true,
  seed: true,
  snapshots: true,
  source: true,
  static: true,
  timeline: true,
  traffic: true,
  trustProxy: true,
  upstream: true,
  validate: true,
  validateSecurity: true,
  warn: true,
};
/** The largest values of options that are whole numbers. */
const LARGEST = { port: 65_535, delay: 2 ** 31 - 1 };

/** Refuses options that JavaScript lets through: none at all, a misspelt name, an impossible port or delay. */
export function expectOptions(given: StandinOptions<object>): void {
  expectNames(given, Object.keys(KNOWN_OPTIONS), {
    name: "createStandin",
    needs: "data or a source: createStandin({ data: { products: [] } })",
    onlyInCommand: Object.keys(SERVE_OPTIONS),
  });
  for (const [name, largest] of Object.entries(LARGEST)) {
    const value = given[name as keyof typeof LARGEST] ?? 0;
    if (Number.isInteger(value) && value >= 0 && value <= largest) continue;
    throw new StartError(`createStandin: "${name}" is ${value}; it must be a whole number from 0 to ${largest}.`);
  }
}

interface Called {
  /** The function that was called. */
  readonly name: string;
  /** Its least options in words. */
  readonly needs: string;
  /** Options that the command line has in addition. */
  readonly onlyInCommand?: readonly string[];
}

/** Refuses options that are no object, and names that the function does not know. */
export function expectNames(given: unknown, known: readonly string[], called: Called): void {
  const { name, needs, onlyInCommand } = called;
  if (typeof given !== "object" || given === null) throw new StartError(`${name} needs ${needs}.`);
  const unknown = Object.keys(given).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  const isSource = typeof (given as Record<string, unknown>)[unknown] === "string";
  const meant = meantOption(unknown, isSource ? known : known.filter((option) => option !== "source"));
  const isCommands = onlyInCommand?.includes(unknown) === true;
  const hint = isCommands ? " Only the command line has it." : meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new StartError(`${name} has no option "${unknown}".${hint}`);
}
