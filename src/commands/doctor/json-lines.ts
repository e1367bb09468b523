type Path = readonly (string | number)[];

interface Frame {
  readonly isArray: boolean;
  /** The key or the position being read; undefined before the next key. */
  at: string | number | undefined;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Matches only the opening quote of a string: a pattern for all of it would overflow the stack on a large one. */
const TOKEN = /["{}[\],]|\n|[^\s"{}[\],:]+/g;

/**
 * The line, from 1, of the value at a path of a valid JSON text; for a property, that of its name. Undefined when there is
 * no such value.
 */
export function lineOf(text: string, path: Path): number | undefined {
  const frames: Frame[] = [];
  let line = 1;
  for (const token of tokensOf(text)) {
    const frame = frames.at(-1);
    if (token === "\n") line++;
    else if (token === "," && frame) frame.at = frame.isArray ? (frame.at as number) + 1 : undefined;
    else if (token === "}" || token === "]") frames.pop();
    else {
      const isName = frame !== undefined && !frame.isArray && frame.at === undefined;
      if (isName) frame.at = JSON.parse(token) as string;
      if (isAt(frames, path)) return line;
      if (token === "{") frames.push({ isArray: false, at: undefined });
      else if (token === "[") frames.push({ isArray: true, at: 0 });
    }
  }
  return undefined;
}

function* tokensOf(text: string): Generator<string> {
  const pattern = new RegExp(TOKEN);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (found[0] === '"') pattern.lastIndex = endOfQuoted(text, found.index);
    yield text.slice(found.index, pattern.lastIndex);
  }
}

function endOfQuoted(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at)) {
    at += code === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

function isAt(frames: readonly Frame[], path: Path): boolean {
  return frames.length === path.length && frames.every(({ at }, depth) => at === path[depth]);
}
