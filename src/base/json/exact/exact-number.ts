let drawn: string | undefined;

/**
 * Begins the strings that stand for exact numbers in a text. Random, so that no data can contain it; drawn when it is first
 * needed, since edge platforms bar randomness while modules load.
 */
export function exactMark(): string {
  drawn ??= `exact number ${crypto.randomUUID()}: `;
  return drawn;
}

/**
 * A JSON number whose value no double has, such as 9007199254740993 or 1e400, with its text. It compares and calculates as
 * the nearest double. Immutable.
 */
export class ExactNumber {
  readonly text: string;
  readonly nearest: number;

  constructor(text: string) {
    this.text = text;
    this.nearest = Number(text);
  }

  valueOf(): number {
    return this.nearest;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest double, for code that calls JSON.stringify; only `stringifyJson` writes the text. */
  toJSON(): number | string {
    if (!marking.isOn) return this.nearest;
    marking.count++;
    return exactMark() + this.text;
  }
}

/** Whether exact numbers are written as marked strings, and how many were. */
export const marking = { isOn: false, count: 0 };
