import { allowedValues, flagOf, type Option, type OptionTable } from "../base/option.ts";

/** The table of options as the reference page shows it, in Markdown. */
export function referenceTable(table: OptionTable): string {
  const rows = Object.values(table).map((option) => `| ${cells(option).join(" | ")} |`);
  return ["| flag | config key | value | default | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

function cells(option: Option): string[] {
  const flag = flagOf(option);
  const aliases = (option.aliases ?? []).map((alias) => (alias.length === 1 ? `-${alias}` : `--${alias}`));
  const flags = flag === undefined ? [] : [`--${flag}`, ...aliases];
  return [
    flags.map(code).join(" "),
    option.only === "flag" ? "" : code(option.name),
    allowedValues(option),
    option.default === undefined ? "" : code(String(option.default)),
    `${option.help}.`,
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}
