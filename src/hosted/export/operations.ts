import { StandinError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";

/** One collection or singleton of a data file, cut to as many records as become examples. */
export type SampledMember =
  | CollectionSample
  | { readonly kind: "singleton"; readonly name: string; readonly record: Json };

interface CollectionSample {
  readonly kind: "collection";
  readonly name: string;
  readonly idKey: string;
  readonly records: readonly JsonObject[];
}

/** One request to the data, with its saved responses: both documents are written from these. */
export interface ExampleOperation {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The name of the collection or singleton, and whether an id follows it. */
  readonly member: string;
  readonly hasId: boolean;
  readonly isList: boolean;
  readonly requestBody: Json | undefined;
  readonly examples: readonly OperationExample[];
}

export interface OperationExample {
  readonly name: string;
  /** The id in the address; undefined for any. */
  readonly id: string | undefined;
  readonly status: number;
  readonly body: Json;
}

/** The operations that a server of this data offers. */
export function operationsOf(sample: SampledMember): ExampleOperation[] {
  return sample.kind === "singleton" ? ofSingleton(sample.name, sample.record) : ofCollection(sample);
}

function ofSingleton(member: string, record: Json): ExampleOperation[] {
  const base = { member, hasId: false, isList: false } as const;
  const examples = [{ name: member, id: undefined, status: 200, body: record }];
  return [
    { ...base, name: `Get ${member}`, method: "GET", requestBody: undefined, examples },
    { ...base, name: `Replace ${member}`, method: "PUT", requestBody: record, examples },
    { ...base, name: `Update ${member}`, method: "PATCH", requestBody: record, examples },
  ];
}

function ofCollection(sample: CollectionSample): ExampleOperation[] {
  const { name: member, records } = sample;
  const [first] = records;
  const list: ExampleOperation = {
    name: `List ${member}`,
    method: "GET",
    member,
    hasId: false,
    isList: true,
    requestBody: undefined,
    examples: [{ name: `${member}`, id: undefined, status: 200, body: [...records] }],
  };
  return first ? [list, ...ofRecords(sample, first)] : [list];
}

function ofRecords({ name: member, idKey, records }: CollectionSample, first: JsonObject): ExampleOperation[] {
  const { [idKey]: _id, ...withoutId } = first;
  const saved = (record: JsonObject): OperationExample => {
    const id = String(record[idKey]);
    return { name: id, id, status: 200, body: record };
  };
  const missing: OperationExample = {
    name: "not found",
    id: undefined,
    status: 404,
    body: { ...new StandinError("RECORD_NOT_FOUND", `${member} has no such record.`).toJSON() },
  };
  const base = { member, hasId: true, isList: false, requestBody: undefined } as const;
  const created = { ...saved(first), name: "created", id: undefined, status: 201 };
  const deleted = { ...saved(first), name: "deleted", body: {} };
  const examples = [saved(first), missing];
  return [
    { ...base, name: `Get one of ${member}`, method: "GET", examples: [...records.map(saved), missing] },
    { ...base, name: `Create in ${member}`, method: "POST", hasId: false, requestBody: withoutId, examples: [created] },
    { ...base, name: `Replace one of ${member}`, method: "PUT", requestBody: first, examples },
    { ...base, name: `Update one of ${member}`, method: "PATCH", requestBody: withoutId, examples },
    { ...base, name: `Delete one of ${member}`, method: "DELETE", examples: [deleted, missing] },
  ];
}
