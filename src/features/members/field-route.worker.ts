import { StandinError } from "../../base/errors.ts";

/** Changes of all records of a collection at once belong to servers: workers are kept small. */
export async function renameField(): Promise<never> {
  throw new StandinError("OPTION_UNAVAILABLE", "Fields are renamed and removed by a server only. PATCH the records.");
}

export async function removeField(): Promise<never> {
  return renameField();
}
