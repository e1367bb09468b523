import { flagOf, type Option, type OptionTable } from "../base/option.ts";

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
  const value = option.placeholder === undefined ? "" : ` ${option.placeholder}`;
  return `${letters.join("").padStart(4)}--${flagOf(option)}${words.join("")}${value}`;
}

function helpColumn(option: Option): string {
  const isShown = option.default !== undefined && option.default !== false && option.default !== true;
  return `${option.help}${isShown ? ` [${option.default}]` : ""}`;
}
