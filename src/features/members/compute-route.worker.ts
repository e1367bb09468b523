import { StandinError } from "../../base/errors.ts";

/** The parser of expressions would make every worker larger. */
export async function respondWithComputed(): Promise<never> {
  throw new StandinError(
    "OPTION_UNAVAILABLE",
    "Fields are computed by a server only, not by a worker. PATCH the records.",
  );
}
