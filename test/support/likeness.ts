/** Values that differ from run to run and may be used again in a later command: tokens, keys, times in names, process ids. */
const USED_AGAIN = [
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/, // a signed token
  /scrypt\$\d+\$\d+\$\d+\$[\w+/=]+\$[\w+/=]+/, // a hashed password
  /\b[a-z]+-[0-9a-f]{32}\b/, // an API key
  /^[\w-]{43}$/, // a secret
  /\b[0-9A-F]{64}\b/, // a SHA-256 thumbprint
  /\b[0-9A-F]{40}\b/, // a SHA-1 thumbprint
  /(?<=[-.])1\d{12}\b/, // milliseconds in a file name
  /(?<=")[0-9A-Za-z]{7}(?=(?:\.\d+)+\\?")/, // the epoch of an ETag
  /(?<=_after=)[\w-]{16,}/, // a cursor
  /(?<="pid":|\(pid )\d+/,
];

/** Values that differ from run to run and are not used again. */
const FLEETING = [
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
  /(?<="uptime":|"uptimeSeconds":|"milliseconds":|"durationMs":)[\d.]+/,
  /(?<="startedAt":")\d*/,
  /(?<="host":")[^"]+/,
  /\b\d+(?=ms\b)/,
];

const KINDS = [...USED_AGAIN, ...FLEETING];
const VOLATILE = new RegExp(KINDS.map(({ source }) => `(${source})`).join("|"), "gm");

/**
 * Compares what a page shows with what was printed. Where a value differs from run to run, the page shows an example of
 * it, and any other value of that kind is as good. Examples that return in a later command stand for what was printed.
 */
export class Likeness {
  /** By the example that the page shows. */
  readonly #real = new Map<string, string>();

  /** A command, or a program, with what was really printed in place of the examples. */
  real(text: string): string {
    let result = text;
    for (const [example, value] of this.#real) result = result.replaceAll(example, value);
    return result;
  }

  /** Compact JSON may be shown in lines; a line `...` in the head of an answer stands for headers left out, or for the rest. */
  isLike(shown: string, printed: string): boolean {
    if (!shown.startsWith("HTTP/")) return this.#isSame(shown, printed, sameText);
    const [shownHead, shownBody] = splitHead(shown);
    const [head, body = ""] = splitHead(printed);
    if (shownBody === undefined && shown.endsWith("\n...")) return this.hasLines(shownHead, head);
    return this.hasLines(shownHead, head) && this.#isSame(shownBody ?? "", body, sameText);
  }

  /** Line by line; a line `...` stands for any number of lines. */
  hasLines(shown: string, printed: string): boolean {
    const lines = printed.split("\n");
    let at = 0;
    let isLeavingOut = false;
    for (const line of shown.split("\n")) {
      if (line === "...") {
        isLeavingOut = true;
        continue;
      }
      const isLike = (other: string | undefined): boolean => other !== undefined && this.#isSame(line, other, same);
      if (isLeavingOut) at = lines.findIndex((other, position) => position >= at && isLike(other));
      if (at === -1 || !isLike(lines[at])) return false;
      isLeavingOut = false;
      at++;
    }
    return isLeavingOut || at === lines.length;
  }

  #isSame(shown: string, printed: string, isEqual: (shown: string, printed: string) => boolean): boolean {
    const examples = [...shown.matchAll(VOLATILE)];
    const values = [...printed.matchAll(VOLATILE)];
    const areAlike =
      examples.length === values.length && examples.every((one, at) => kindOf(one) === kindOf(values[at]));
    if (!areAlike) return isEqual(shown, printed);
    let next = 0;
    const disguised = printed.replace(VOLATILE, () => examples[next++]?.[0] as string);
    if (!isEqual(shown, disguised)) return false;
    for (const [at, example] of examples.entries()) {
      if (kindOf(example) < USED_AGAIN.length) this.#real.set(example[0], values[at]?.[0] as string);
    }
    return true;
  }
}

/** Which of the kinds was found. */
function kindOf(match: RegExpExecArray | undefined): number {
  return match ? match.slice(1).findIndex((group) => group !== undefined) : -1;
}

function splitHead(text: string): [head: string, body: string | undefined] {
  const [head = "", ...body] = text.split("\n\n");
  return [head, body.length === 0 ? undefined : body.join("\n\n")];
}

function same(shown: string, printed: string): boolean {
  return shown === printed;
}

/** White space outside of the texts of compact JSON does not count. */
function sameText(shown: string, printed: string): boolean {
  const isCompactJson = /^[{[].*[}\]]$/.test(printed);
  return shown === printed || (isCompactJson && shown.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") === printed);
}
