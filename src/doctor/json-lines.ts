type Path = readonly (string | number)[];

interface Frame {
  readonly isArray: boolean;
  /** The key or the position being read; undefined before the next key. */
  at: string | number | undefined;
}

const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],]|\n|[^\s"{}[\],:]+/g;

/**
 * The line, from 1, on which the value at a path of a JSON text begins; for a property, that of its name. The text must be
 * valid JSON. Undefined when there is no such value.
 */
export function lineOf(text: string, path: Path): number | undefined {
  const frames: Frame[] = [];
  let line = 1;
  for (const [token] of text.matchAll(TOKEN)) {
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

function isAt(frames: readonly Frame[], path: Path): boolean {
  return frames.length === path.length && frames.every(({ at }, depth) => at === path[depth]);
}
