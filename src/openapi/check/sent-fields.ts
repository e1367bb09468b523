import { StandinError } from "../../base/errors.ts";

/** A field of a form or a query: its texts, or what is sent inside it, such as `b` of `a[b]`. */
export interface SentField {
  readonly texts: string[];
  /** The texts of `a[]` have an empty name. */
  readonly inner: Map<string, SentField>;
}

/** Names with their texts, several for a repeated one. */
export type FieldTexts = Iterable<readonly [name: string, texts: readonly string[]]>;

const MAX_LEVELS = 20;
const BRACKETED = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;

/** Reads names with brackets, such as `items[0][price]`, as the fields inside fields that they mean. */
export function sentFields(fields: FieldTexts, isWhole: (name: string) => boolean): SentField["inner"] {
  const root = newField();
  for (const [name, texts] of fields) {
    const steps = isWhole(name) ? [name] : stepsIn(name);
    for (const [at, text] of texts.entries()) place(root, steps, at).texts.push(text);
  }
  refuseContradictions(root, "");
  return root.inner;
}

/** The part of a name in front of its brackets. */
export function headOf(name: string): string {
  return BRACKETED.exec(name)?.[1] ?? name;
}

/** `items[][price]` repeated is the price of one item after the other. */
function place(root: SentField, steps: readonly string[], at: number): SentField {
  let field = root;
  for (const [level, step] of steps.entries()) {
    const name = step === "" && level < steps.length - 1 ? String(at) : step;
    const inner = field.inner.get(name) ?? newField();
    field.inner.set(name, inner);
    field = inner;
  }
  return field;
}

function stepsIn(name: string): string[] {
  const [, head, brackets = ""] = BRACKETED.exec(name) ?? [];
  const steps = head === undefined ? [name] : [head, ...brackets.slice(1, -1).split("][")];
  if (steps.length > MAX_LEVELS) {
    throw new StandinError("REQUEST_MALFORMED", `A name with brackets may have at most ${MAX_LEVELS} levels.`);
  }
  if (steps.includes("__proto__")) {
    throw new StandinError("KEY_FORBIDDEN", `The name ${name} is not allowed: no field may be called __proto__.`);
  }
  return steps;
}

function refuseContradictions({ inner }: SentField, path: string): void {
  for (const [name, field] of inner) {
    const here = path === "" ? name : `${path}[${name}]`;
    const [other] = field.inner.keys();
    if (other === undefined) continue;
    const hasBoth = field.texts.length > 0;
    const unlike = field.inner.has("") ? [...field.inner.keys()].find((key) => !isListPosition(key)) : undefined;
    if (hasBoth || unlike !== undefined) {
      const both = hasBoth ? `${here} and ${here}[${other}]` : `${here}[] and ${here}[${unlike}]`;
      throw new StandinError("REQUEST_MALFORMED", `${both} contradict each other. Send only one of them.`);
    }
    refuseContradictions(field, here);
  }
}

/** Whether a name in brackets can be the position in a list, or its end. */
export function isListPosition(name: string): boolean {
  return /^\d*$/.test(name);
}

function newField(): SentField {
  return { texts: [], inner: new Map() };
}
