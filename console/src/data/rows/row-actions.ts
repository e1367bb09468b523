import { API_URL } from "../../api/base.ts";
import { credentialHeaders } from "../../api/credentials.ts";
import type { JsonObject } from "../../api/json.ts";
import { pathAtMoment } from "../../api/moment.ts";
import type { Field } from "../../api/overview.ts";
import { readingPath, recordPath } from "../../records/record-address.ts";
import { createRecord, readRecord, removeRecord } from "../../records/writes.ts";
import { copyAs, type Language } from "../../request/copy-as.ts";
import { draftOfRequest, readyRequest } from "../../request/request-draft.ts";
import { copyOf } from "./row-values.ts";

/** A record of a list, by its address. */
export interface RowAddress {
  readonly collection: string;
  readonly idKey: string;
  readonly id: string;
}

/** Creates a record like this one, with an id of its own. The list may show less than the whole record. */
export async function duplicate({ collection, idKey, id }: RowAddress, fields: readonly Field[]): Promise<JsonObject> {
  const { value } = await readRecord(readingPath(collection, idKey, id));
  return (await createRecord(collection, idKey, copyOf(value, idKey, fields))).value;
}

export async function remove({ collection, id }: RowAddress): Promise<void> {
  const path = recordPath(collection, id);
  await removeRecord(path, await readRecord(path));
}

/** The request for a record as code. */
export function rowAs(language: Language, { collection, idKey, id }: RowAddress): string {
  const draft = draftOfRequest("GET", pathAtMoment("GET", readingPath(collection, idKey, id)));
  return copyAs(language, readyRequest(draft, API_URL, Object.entries(credentialHeaders())));
}

export async function rowAsJson({ collection, idKey, id }: RowAddress): Promise<string> {
  return JSON.stringify((await readRecord(readingPath(collection, idKey, id))).value, null, 2);
}
