import { StandinError } from "../base/errors.ts";

/** The error of a record that is not there. It says where those are that are. */
export class RecordNotFound extends StandinError {
  readonly collection: string;
  readonly #problem: string;

  constructor(collection: string, problem: string, list?: string) {
    super("RECORD_NOT_FOUND", list === undefined ? problem : `${problem} GET ${list} lists those it has.`);
    this.collection = collection;
    this.#problem = problem;
  }

  /** The same error where the collection is listed at another address, or at none. */
  listedAt(list: string | undefined): RecordNotFound {
    return new RecordNotFound(this.collection, this.#problem, list);
  }
}

export function recordNotFound(collection: string, idKey: string, id: string): StandinError {
  const problem = `${collection} has no record with ${idKey} "${id}".`;
  return new RecordNotFound(collection, problem, `/${encodeURIComponent(collection)}`);
}
