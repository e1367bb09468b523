import { StandinError } from "../../errors.ts";
import type { Json, JsonObject } from "../../json.ts";

/** One collection or singleton of a data file, cut to as many records as become examples. */
export type Sample =
  | {
      readonly kind: "collection";
      readonly name: string;
      readonly idKey: string;
      readonly records: readonly JsonObject[];
    }
  | { readonly kind: "singleton"; readonly name: string; readonly record: Json };

/** One request that the data can answer, with its saved responses: what both documents are written from. */
export interface Operation {
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

/** What a server of these data offers on them. */
export function operationsOf(sample: Sample): Operation[] {
  return sample.kind === "singleton" ? ofSingleton(sample.name, sample.record) : ofCollection(sample);
}

function ofSingleton(member: string, record: Json): Operation[] {
  const base = { member, hasId: false, isList: false } as const;
  const examples = [{ name: member, id: undefined, status: 200, body: record }];
  return [
    { ...base, name: `Get ${member}`, method: "GET", requestBody: undefined, examples },
    { ...base, name: `Replace ${member}`, method: "PUT", requestBody: record, examples },
    { ...base, name: `Update ${member}`, method: "PATCH", requestBody: record, examples },
  ];
}

function ofCollection({ name: member, idKey, records }: Extract<Sample, { kind: "collection" }>): Operation[] {
  const list: Operation = {
    name: `List ${member}`,
    method: "GET",
    member,
    hasId: false,
    isList: true,
    requestBody: undefined,
    examples: [{ name: `${member}`, id: undefined, status: 200, body: [...records] }],
  };
  const [first] = records;
  if (!first) return [list];
  const { [idKey]: _id, ...withoutId } = first;
  const idOf = (record: JsonObject): string => String(record[idKey]);
  const saved = (record: JsonObject): OperationExample => ({
    name: idOf(record),
    id: idOf(record),
    status: 200,
    body: record,
  });
  const missing: OperationExample = {
    name: "not found",
    id: undefined,
    status: 404,
    body: { ...new StandinError("RECORD_NOT_FOUND", `${member} has no such record.`).toJSON() },
  };
  const base = { member, hasId: true, isList: false } as const;
  const create = { ...saved(first), name: "created", id: undefined, status: 201 };
  const remove = { ...saved(first), name: "deleted", body: {} };
  return [
    list,
    {
      ...base,
      name: `Get one of ${member}`,
      method: "GET",
      requestBody: undefined,
      examples: [...records.map(saved), missing],
    },
    { ...base, name: `Create in ${member}`, method: "POST", hasId: false, requestBody: withoutId, examples: [create] },
    { ...base, name: `Replace one of ${member}`, method: "PUT", requestBody: first, examples: [saved(first), missing] },
    {
      ...base,
      name: `Update one of ${member}`,
      method: "PATCH",
      requestBody: withoutId,
      examples: [saved(first), missing],
    },
    { ...base, name: `Delete one of ${member}`, method: "DELETE", requestBody: undefined, examples: [remove, missing] },
  ];
}
