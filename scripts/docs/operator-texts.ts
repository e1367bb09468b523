import { readFileSync } from "node:fs";
import type { Operator } from "../../src/query/operator.ts";
import { OPERATORS } from "../../src/query/operator-table.ts";

/** The texts that repeat the operators of filters: the reference, the clients in both languages, and the console's table. */
export function operatorFiles(): Record<string, string> {
  return {
    "docs/reference/query.md": withLines(
      "docs/reference/query.md",
      /(?<=\| operator \| example \| .*\n\|---\|---\|---\|\n)(?:\|.*\n)+/,
      OPERATORS.map(referenceRow),
    ),
    "clients/client.ts": withLines(
      "clients/client.ts",
      /(?<=interface StandinOperators<V> \{\n)[^}]+/,
      OPERATORS.flatMap(typescriptLines),
    ).replace(/(?<=type StandinObjectOperators = Pick<StandinOperators<never>, )[^>]+/, objectOperators()),
    "clients/client.cs": withLines(
      "clients/client.cs",
      /(?<=Descending => new\(Path, true\);\n\n)(?:.*\n)+?(?= {4}private StandinCondition<TRecord> On\()/,
      OPERATORS.flatMap(csharpLines),
    ),
    "console/src/api/operator-table.ts": consoleTable(),
  };
}

/** A file whose lines at one place are these. */
function withLines(file: string, place: RegExp, lines: readonly string[]): string {
  return readFileSync(file, "utf8").replace(place, () => lines.map((line) => `${line}\n`).join(""));
}

function referenceRow({ name, example, description }: Operator): string {
  return `| \`${name}\` | \`${example.field}:${name}=${example.value}\` | ${description} |`;
}

function typescriptLines({ name, operand, isLookup, description }: Operator): string[] {
  const value = isLookup ? "V | null" : "V";
  const types = { value, list: `readonly (${value})[]`, text: "string", flag: "boolean" };
  return [`  /** The value ${description}. */`, `  readonly ${name}?: ${types[operand]};`];
}

function objectOperators(): string {
  return OPERATORS.filter(({ menu }) => menu.fits === "object")
    .map(({ name }) => `"${name}"`)
    .join(" | ");
}

function csharpLines({ name, methodName, operand, operandName, description }: Operator): string[] {
  const method = methodName ?? name.replace(/^./, (first) => first.toUpperCase());
  const [parameter, value] = {
    value: ["TValue value", "value"],
    list: ["params TValue[] values", "values"],
    text: [`string ${operandName}`, operandName],
    flag: ["", "true"],
  }[operand] as [string, string];
  return [
    `    /// <summary>The value ${description.split("; ")[0]}.</summary>`,
    `    public StandinCondition<TRecord> ${method}(${parameter}) => On("${name}", ${value});`,
    "",
  ];
}

function consoleTable(): string {
  const entries = OPERATORS.map((operator) => {
    const { name, words, sign, opposite, operand, operandName, menu, example, suffix, bound } = operator;
    const facts = {
      name,
      words: bound ? words.replace(/^is /, "") : words,
      sign: sign ?? "",
      opposite: opposite ?? "",
      description: operator.description,
      operand,
      isExclusion: operator.isExclusion,
      isSuffix: suffix === "always",
      fits: menu.fits,
      rank: menu.rank,
      hasOpposite: menu.hasOpposite ?? false,
      field: example.field,
      value: example.value,
      placeholder: operand === "text" && operandName !== "text" ? example.value : "",
    };
    const lines = Object.entries(facts).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},`);
    return `  {\n${lines.join("\n")}\n  },`;
  });
  return `/** The operators of filters, made by \`npm run docs\` from the files in src/query/operators. */
export const OPERATOR_TABLE = [
${entries.join("\n")}
] as const;
`;
}
