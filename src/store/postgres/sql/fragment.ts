import { quoted, type Statements } from "../connections/connection.ts";

/**
 * A piece of SQL with its values. The syntax makes every value a parameter; names are quoted. The driver has fragments,
 * too, but each is a promise, which is expensive where a statement has dozens.
 */
export class Fragment {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/** Creates a fragment: sql`slot = ${slot}`. Inserts other fragments as they are; anything else becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  return new Fragment(strings, values);
}

/** A text of our own as SQL. */
export function constant(text: string): Fragment {
  return new Fragment([text], []);
}

const names = new Map<string, Fragment>();

/** The name of a table or column. Cached without limit: standin chooses all names, so they are few. */
export function name(text: string): Fragment {
  let fragment = names.get(text);
  if (!fragment) {
    fragment = constant(quoted(text));
    names.set(text, fragment);
  }
  return fragment;
}

export function join(parts: readonly Fragment[], between: string): Fragment {
  const [first, ...rest] = parts;
  if (!first) return new Fragment([""], []);
  return new Fragment(["", ...rest.map(() => between), ""], [first, ...rest]);
}

/** Sends a statement at once; `Row` says what its rows have. The database keeps a frequent one prepared on each connection. */
export function run<Row extends object>(database: Statements, fragment: Fragment, isFrequent = true) {
  // The driver sends a statement when it is awaited, so without this the order of sending would be that of awaiting.
  return statement<Row>(database, fragment, isFrequent).execute();
}

/** The rows of a statement, `rows` at a time. */
export function inPages<Row extends object>(
  database: Statements,
  fragment: Fragment,
  rows: number,
): AsyncIterable<Row[]> {
  return statement<Row>(database, fragment, false).cursor(rows);
}

/** The row of a statement that always has one. */
export function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("The database sent no row where there is always one.");
  return row;
}

function statement<Row extends object>(database: Statements, fragment: Fragment, prepare: boolean) {
  const parameters: unknown[] = [];
  const text = render(fragment, parameters);
  return database.unsafe<Row[]>(text, parameters as never[], { prepare });
}

function render({ strings, values }: Fragment, parameters: unknown[]): string {
  let text = "";
  for (let at = 0; at < strings.length; at++) {
    text += strings[at];
    if (at === values.length) break;
    const value = values[at];
    text += value instanceof Fragment ? render(value, parameters) : `$${parameters.push(value)}`;
  }
  return text;
}
