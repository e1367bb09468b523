import type { Placed } from "../../schema/references.ts";
import type { CodedResponse, MediaContent, Operation } from "../read/api-document.ts";
import type { ElementWrapper } from "./bodies/record-spots.ts";
import { pathStepsOf } from "./path-shape.ts";
import type { EnvelopeRole, ParameterRole } from "./roles.ts";

/** The operations of a document that are a collection, and those that are not. */
export interface Bindings {
  readonly collections: readonly BoundCollection[];
  readonly unbound: readonly UnboundOperation[];
}

export interface UnboundOperation {
  readonly operation: Operation;
  /** One line for people. */
  readonly why: string;
}

export interface BoundCollection {
  /** The last fixed segment of its path; with that of its parent in front where two would be the same. */
  readonly name: string;
  /** The path of its list, as people write it. */
  readonly path: string;
  /** The property of a record that is its id. */
  readonly idKey: string;
  /**
   * The field with ids of our own, where `idKey` tells records apart only below the same parents: the number of an issue.
   * No response shows it.
   */
  readonly ownKey: string | undefined;
  /** Whether `idKey` is a field of our own, which no response shows. */
  readonly hidesId: boolean;
  /** Other properties by which paths name its records, where the document says so: "ID or slug". */
  readonly otherNames: readonly string[];
  /** Whether there is one record at each path, such as `GET /settings` with `PUT /settings`. */
  readonly isSingle: boolean;
  /** The schema of one record: that of the response to GET on the record, else that of the list's elements. */
  readonly record: Placed;
  readonly operations: readonly BoundOperation[];
}

/**
 * `act`: what a path below the record names, such as `POST /orders/{id}/cancel`. `copy`: a record made of another one, such
 * as `POST /plans/{id}/duplicate`. `end`: a DELETE that acts and keeps the record. `download`: the file that the record was
 * made of, such as `GET /files/{id}/content`. `upload`: a body that is a file of the record, such as
 * `PUT /pets/{id}/photo`. `elements`: a list in the record, such as `POST /issues/{id}/labels` that sends all labels of the
 * issue. `add`: a PUT that makes the record of its path if there is none, such as `PUT /groups/{id}/members/{member_id}`.
 */
export const ACTIONS = [
  "list",
  "create",
  "read",
  "replace",
  "patch",
  "remove",
  "act",
  "copy",
  "end",
  "download",
  "upload",
  "elements",
  "add",
] as const;
export type Action = (typeof ACTIONS)[number];

/** Whether the path of an operation has more segments than that of its record. */
export function isBelowRecord({ action, operation }: Pick<BoundOperation, "action" | "operation">): boolean {
  if (action === "elements") return true;
  return ASIDE.includes(action) && pathStepsOf(operation.path)?.at(-1)?.kind === "fixed";
}

const ASIDE: readonly Action[] = ["act", "copy", "download", "upload"];

/** The list in a record that a path below it shows and changes. */
export interface ElementList {
  /** The property of the record that is the list. */
  readonly field: string;
  /** The property of an element that tells it from others. */
  readonly key: string | undefined;
  /** The wildcard of the path that names one element. */
  readonly parameter: string | undefined;
}

export interface BoundOperation {
  readonly operation: Operation;
  readonly action: Action;
  /**
   * The wildcard of the path that is the record's id. Undefined for list and create, for a replace or patch that names
   * the record in its body (`PUT /pets` with an id), and where fields other than the id find it.
   */
  readonly idParameter: string | undefined;
  /** Wildcards that find the record by its fields, where none is its id: `/repos/{owner}/{repo}`. */
  readonly keys: readonly FieldKey[];
  /** Wildcards of the path that filter (list), must be met (read, replace, patch, remove, act) or are set (create). */
  readonly parents: readonly ParentKey[];
  /** The response sent when all goes well. */
  readonly success: CodedResponse;
  /** Its JSON body; undefined where it has none. */
  readonly content: MediaContent | undefined;
  /** Property names that lead to the array or the record in the body ([]: the body itself); undefined where it has none. */
  readonly at: readonly string[] | undefined;
  /** Set where a single record is sent as a list of one. */
  readonly isListOfOne: boolean;
  /** Set where each element of the list holds its record in a property. */
  readonly wrapper: ElementWrapper | undefined;
  /** The schema of a record as this response shows it, maybe in fewer or other properties than the collection's `record`. */
  readonly view: Placed | undefined;
  /** Set where a list has the ids of records in their place. */
  readonly showsIds: boolean;
  /** The request body that has the record: JSON where there is JSON, else a form. */
  readonly requestContent: MediaContent | undefined;
  /** Property names that lead to the record in the request body. */
  readonly requestAt: readonly string[];
  /** Whether the request has a list of records there. */
  readonly takesList?: boolean;
  /** The field that a body which is no object is the value of, such as `value`. */
  readonly valueField?: string | undefined;
  /** Properties of the record that the request body does not have or that are read-only: a replace keeps them. */
  readonly kept: readonly string[];
  /** Properties of the record that the request body must have. */
  readonly requires: readonly string[];
  /** Fields around the list, by what they mean. */
  readonly envelope: readonly EnvelopeField[];
  /** Response headers, by what they mean. */
  readonly headers: readonly { readonly name: string; readonly role: EnvelopeRole }[];
  /** Of `elements`. */
  readonly elements?: ElementList | undefined;
  /** Query parameters that mean something, of a list. */
  readonly parameters: readonly BoundParameter[];
  /** One line for people. */
  readonly why: string;
}

export interface FieldKey {
  /** The wildcard. */
  readonly parameter: string;
  /** Property names that lead to its value in the record. */
  readonly path: readonly string[];
}

export interface ParentKey {
  /** The wildcard. */
  readonly parameter: string;
  /** The field of the record that has its value. */
  readonly field: string;
  /** The object in the record that has the field, such as `metadata`; undefined where that is the record. */
  readonly holder: string | undefined;
  /** Whether records tell nothing of this parent, so that each one has them all. */
  readonly isOfAll: boolean;
  /** Whether records without a value are of no parent, as in recorded data; generated ones are of every parent. */
  readonly isTold: boolean;
  /** Whether the record's schema has that field; otherwise it is stored with the record, and must not be sent. */
  readonly isInRecord: boolean;
  /** The collection whose id it is, if that is bound. */
  readonly collection: string | undefined;
  /** The key that generated records have of a parent that is not served: they are of every such parent. */
  readonly common?: string | number | undefined;
}

export interface EnvelopeField {
  readonly path: readonly string[];
  readonly role: EnvelopeRole;
}

export interface BoundParameter {
  readonly name: string;
  readonly role: ParameterRole;
  /** Of a filter: the field of the record; of an order: the field that it is of, as in `sort[createdAt]`. */
  readonly field?: string;
  /** Of a filter that compares: an operator of the query language. */
  readonly operator?: string;
  /** Of a filter: the parameter that says how it compares, such as `dateCondition`. */
  readonly comparedBy?: string;
  /** Of such a parameter, which filters nothing itself. */
  readonly isComparison?: boolean;
  /** Of a cursor that is an id: its record is the first of the page. */
  readonly isInclusive?: boolean;
  /** Of totals: the values for which there are none; "" stands for requests without the parameter. */
  readonly hiddenBy?: string[];
  /** Of a filter whose values are words for states: what each one asks for, and "" what a request without it does. */
  readonly states?: Readonly<Record<string, ValueFilter>>;
}

/** The filter that one value of a parameter stands for. */
export type ValueFilter = { readonly field: string; readonly operator?: string; readonly value: string };
