import { compilePattern } from "../../schema/rules/pattern.ts";

/** A pattern that the engine accepts and that matches the same texts; undefined if there is none. */
export function usablePattern(source: string): string | undefined {
  if (isUsable(source)) return source;
  const strict = withoutNeedlessEscapes(source);
  return isUsable(strict) ? strict : undefined;
}

/** Whether a pattern with look-aheads is that of decimals: `^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$`. */
export function isDecimal(source: unknown): boolean {
  if (typeof source !== "string" || source.length > MAX_LENGTH || !/\(\?[=!]/.test(source)) return false;
  try {
    const pattern = new RegExp(source);
    return DECIMALS.every((text) => pattern.test(text)) && !pattern.test("abc");
  } catch {
    return false;
  }
}

const MAX_LENGTH = 200;
const DECIMALS = ["0.99", "12.50", "104.07"];

function isUsable(source: string): boolean {
  try {
    compilePattern(source).test("");
    return true;
  } catch {
    return false;
  }
}

/** Without the flag `u`, JavaScript lets any character be escaped, and a hyphen stand next to a class such as `\w`. */
function withoutNeedlessEscapes(source: string): string {
  let isInClass = false;
  return source.replace(/\\[\s\S]|\[\^?|\]|-/g, (token, at: number) => {
    if (token === "]") isInClass = false;
    else if (token.startsWith("[")) {
      if (isInClass) return `\\${token}`;
      isInClass = true;
    } else if (token === "-") {
      const isBesideClass = /\\[dswDSW]$/.test(source.slice(0, at)) || /^-\\[dswDSW]/.test(source.slice(at));
      return isInClass && isBesideClass ? "\\-" : token;
    } else if (token === "\\-") return isInClass ? token : "-";
    else if (/^\\[^\w^$\\.*+?()[\]{}|/\s]$/.test(token) || token === "\\_") return token[1]!;
    return token;
  });
}
