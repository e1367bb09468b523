import fc from "fast-check";

/** Numbers that no double has, each another value than its nearest double. */
export const EXACT = [
  "9007199254740993",
  "-9007199254740993",
  "1e400",
  "-1E+400",
  "1e-400",
  "123456789012345678901234567890",
  "0.1000000000000000055511151231257827",
  "3.14159265358979323846264338327950288",
  "1234567890123456789.5e-3",
];
/** Numbers that doubles have; they may be written in another way. */
export const PLAIN = [
  "1.10",
  "1e2",
  "100.0",
  "0.1",
  "-0",
  "1e308",
  "5e-324",
  "9007199254740992",
  "1e21",
  "0.30000000000000004",
];

/** JSON texts, with numbers of all kinds. */
export function jsonText(): fc.Arbitrary<string> {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})(\.\d{1,24})?(e[-+]?\d{1,3})?$/);
  const number = fc.oneof(
    digits,
    digits.map((text) => `-${text}`),
    fc.constantFrom(...EXACT, ...PLAIN),
  );
  const text = fc.oneof(fc.string(), digits).map((value) => JSON.stringify(value));
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      number,
      text,
      fc.constantFrom("true", "false", "null"),
      fc.array(tie("value"), { maxLength: 4 }).map((all) => `[ ${all.join(" ,")}]`),
      fc
        .dictionary(fc.string(), tie("value"), { maxKeys: 4 })
        .map((all) => `{${Object.entries(all).map(([key, one]) => `${JSON.stringify(key)}:${one}`)} }`),
    ),
  }));
  return value;
}

/** A text in which equal values, and only they, are the same: every number as a fraction of whole numbers. */
export function exactly(text: string): string {
  const strings: string[] = [];
  const bare = text.replace(
    /"(?:[^"\\]|\\.)*"/g,
    (string) => `"${strings.push(JSON.stringify(JSON.parse(string))) - 1}"`,
  );
  return bare
    .replace(/\s/g, "")
    .replace(/"(\d+)"|-?\d[\d.eE+-]*/g, (token, at) => (at === undefined ? decimal(token) : strings[Number(at)]!));
}

function decimal(number: string): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(number)!;
  let digits = BigInt(whole + fraction);
  let power = Number(exponent) - fraction.length;
  if (digits === 0n) return "0";
  for (; digits % 10n === 0n; power++) digits /= 10n;
  return `${sign}${digits}e${power}`;
}
