import type { Json } from "../../../base/json/json.ts";

/** A form of data files other than JSON. */
export interface DataFormat {
  /** Throws an Error that says where the text is wrong. */
  parse(text: string): Json;
  render(value: Json): string;
  /** The line of the first comment, which a save would lose; undefined without one. */
  commentLine?(text: string): number | undefined;
  /** Whether a file holds one collection, named after the file, instead of a whole database. */
  readonly isTable?: boolean;
}
