import { type Stats, statSync } from "node:fs";

/** What a file looks like from outside. The same look means the same content; another one means to read and see. */
export type Look = string;

/** The look of a file that is not there. */
export const NO_LOOK: Look = "";

/** No file looks like this: what was known of it may have changed without a trace. */
const UNSURE = "unsure";

/** Systems count file times in ticks: what is written within one has the same time. */
const TICK_MS = 12;
/** Some count whole seconds, or every second one. */
const COARSE_TICK_MS = 2100;

export function lookOf(path: string): Look {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? lookFrom(found) : NO_LOOK;
}

export function lookFrom({ ino, size, mtimeMs }: Pick<Stats, "ino" | "size" | "mtimeMs">): Look {
  return `${ino}.${size}.${mtimeMs}`;
}

/** Whether two looks are of one and the same file, whatever it holds. */
export function isSameFile(one: Look, other: Look): boolean {
  return one.split(".", 1)[0] === other.split(".", 1)[0];
}

/** A look to remember: one that any later change of the file differs from. */
export function firmLook(stats: Pick<Stats, "ino" | "size" | "mtimeMs">): Look {
  const tick = stats.mtimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return Math.abs(Date.now() - stats.mtimeMs) < tick ? `${stats.ino}.${UNSURE}` : lookFrom(stats);
}

export function firmLookOf(path: string): Look {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? firmLook(found) : NO_LOOK;
}
