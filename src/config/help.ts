import { asChoice, flagOf, type Option, type OptionTable } from "../base/option.ts";

/** The lines of `--help` for a table of options. */
export function helpLines(table: OptionTable): string[] {
  const rows = Object.values(table)
    .filter((option) => flagOf(option) !== undefined)
    .map((option) => [flagColumn(option), helpColumn(option)] as const);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`);
}

function flagColumn(option: Option): string {
  const letters = (option.aliases ?? []).filter((alias) => alias.length === 1).map((alias) => `-${alias}, `);
  const words = (option.aliases ?? []).filter((alias) => alias.length > 1).map((alias) => `, --${alias}`);
  return `${letters.join("").padStart(4)}--${flagOf(option)}${words.join("")}${shownValue(option)}`;
}

/** The value as a placeholder, or the allowed values themselves. */
function shownValue(option: Option): string {
  if (hasShortChoices(option)) return ` <${option.choices?.join("|")}>`;
  return option.placeholder === undefined ? "" : ` ${option.placeholder}`;
}

function helpColumn(option: Option): string {
  const isShown = option.default !== undefined && option.default !== false && option.default !== true;
  return `${option.help}${allowedIn(option)}${isShown ? ` [${option.default}]` : ""}`;
}

/** The allowed values that the column of flags does not show. */
function allowedIn(option: Option): string {
  const { type, min = 0, max = LARGEST, choices } = option;
  if (choices && !hasShortChoices(option)) return `: ${asChoice(choices)}`;
  if (type !== "integer" || (min === 0 && max >= LARGEST)) return "";
  return max >= LARGEST ? ` (at least ${min})` : ` (${min} to ${max})`;
}

/** Long ones would widen the column for all. */
function hasShortChoices({ choices }: Option): boolean {
  return choices !== undefined && choices.join("|").length <= WIDEST_CHOICES;
}

/** A limit that is only there because of timers or the type. */
const LARGEST = 2 ** 31 - 1;
const WIDEST_CHOICES = 24;
