import { asChoice, flagOf, type Option, type OptionTable } from "../base/option.ts";

/**
 * The table of options as the reference page shows it, in Markdown. Rows that `known` has as well are named below it
 * instead: a command shares most options with the server.
 */
export function referenceTable(table: OptionTable, known: OptionTable = {}): string {
  const names = sharedNames(known);
  const options = Object.values(table);
  const rows = options.map(rowOf).filter((row) => !names.has(row));
  const shared = options.filter(({ name }) => name !== "help").flatMap((option) => names.get(rowOf(option)) ?? []);
  const head = ["| flag | value | meaning |", "|---|---|---|"];
  return [
    ...(rows.length > 0 ? [[...head, ...rows].join("\n")] : []),
    ...(shared.length > 0 ? [`As for \`standin [source]\`: ${[...new Set(shared)].join(", ")}.`] : []),
  ].join("\n\n");
}

/** A command's names of the rows that it shares with the server. The options of PostgreSQL only go together. */
function sharedNames(known: OptionTable): ReadonlyMap<string, string> {
  const options = Object.values(known);
  const withFlagAndKey = options.filter(({ only }) => only === undefined);
  return new Map([
    ...withFlagAndKey.map((option) => [rowOf({ ...option, only: "flag" }), `${nameOf(option)} *`] as const),
    ...options.map((option) => [rowOf(option), isOfPostgres(option) ? "those of PostgreSQL" : nameOf(option)] as const),
  ]);
}

function isOfPostgres({ help }: Option): boolean {
  return help.startsWith("PostgreSQL: ");
}

function rowOf(option: Option): string {
  const isOff = option.default === undefined || option.default === false;
  const value = [valueText(option), isOff ? "" : `(${code(String(option.default))})`].join(" ").trim();
  const cells = [namesOf(option), value, `${option.help}.`];
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
}

/** The value in as few words as a table needs. */
function valueText(option: Option): string {
  switch (option.type) {
    case "boolean":
      return "";
    case "integer":
    case "integer or auto": {
      const range = option.max === undefined ? `from ${option.min ?? 0}` : `${option.min ?? 0} to ${option.max}`;
      return option.type === "integer" ? range : `${range}, or auto`;
    }
    case "string":
      return option.choices ? asChoice(option.choices) : "text";
    case "strings":
      return "texts";
    case "string or object":
      return "text or object";
    default:
      return option.type;
  }
}

/** Every flag of the option, and its key in the config file where that has another name. */
function namesOf(option: Option): string {
  const flag = flagOf(option);
  if (flag === undefined) return code(option.name);
  const aliases = (option.aliases ?? []).map((alias) => (alias.length === 1 ? `-${alias}` : `--${alias}`));
  const flags = [`--${flag}`, ...aliases].map(code).join(" ");
  if (option.only === "flag") return `${flags} *`;
  return inCamelCase(option.name) === inCamelCase(flag) ? flags : `${flags}, key ${code(option.name)}`;
}

function nameOf(option: Option): string {
  const flag = flagOf(option);
  return code(flag === undefined ? option.name : `--${flag}`);
}

function inCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

function code(text: string): string {
  return `\`${text}\``;
}
