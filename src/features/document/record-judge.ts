import type { BoundCollection } from "../../api-document/bind/binding.ts";
import { StandinError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import { once } from "./once.ts";
import { hiddenFields } from "./presentation.ts";
import type { Tools } from "./tools.ts";
import { createShow } from "./view.ts";

/** The most problems in the message; all are in `errors`. */
const NAMED = 3;

/** Throws for a record that the document does not allow. */
export type JudgeRecord = (record: JsonObject) => void;

/** Judges changed records: a patch may pass its own schema, and leave a record that breaks that of records. */
export function createRecordJudge(tools: Tools, collection: BoundCollection): JudgeRecord {
  const { references } = tools.document;
  const { name, record: schema } = collection;
  const options = { references, view: schema, record: schema, hidden: hiddenFields(collection) };
  const show = once(() => createShow({ ...options, sample: () => undefined }));
  return (record) => {
    const problems = tools.validator(schema)(show()?.(record) ?? record);
    if (problems.length === 0) return;
    const named = problems.slice(0, NAMED).map(({ pointer, message }) => `${pointer || "/"} ${message}`);
    const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more` : "";
    throw new StandinError(
      "REQUEST_INVALID",
      `The record of ${name} that this would leave breaks the API document: ${named.join("; ")}${more}.`,
      {},
      { errors: problems.map((problem) => ({ ...problem, pointer: `/body${problem.pointer}` })) },
    );
  };
}
