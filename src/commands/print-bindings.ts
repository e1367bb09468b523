import type { Json } from "../base/json/json.ts";
import type { Evidence } from "../features/openapi-source/types.ts";
import type { Bindings, BoundCollection, BoundOperation } from "../openapi/bind/binding.ts";
import { printable, type Terminal } from "./terminal.ts";

/** The bindings of a document, with the evidence for each guess. */
export interface ExplainedBindings extends Bindings {
  readonly file: string;
  evidenceFor(collection: BoundCollection): readonly Evidence[];
}

/** The bindings as a table for people; `isQuiet` leaves out the evidence, and the operations that are not bound. */
export function bindingsText(terminal: Terminal, bindings: ExplainedBindings, isQuiet: boolean): string[] {
  const { file, collections, unbound, evidenceFor } = bindings;
  const bound = collections.reduce((sum, { operations }) => sum + operations.length, 0);
  const all = bound + unbound.length;
  const width = Math.max(0, ...collections.flatMap(({ operations }) => operations.map((one) => addressOf(one).length)));
  const lines = [
    `${printable(file)}: ${counted(collections.length, "collection")}, ${bound} of ${counted(all, "operation")} bound`,
    ...collections.flatMap((collection) => {
      const evidence = isQuiet ? [] : evidenceFor(collection);
      return ["", ...collectionLines(terminal, collection, { width, evidence })];
    }),
  ];
  if (isQuiet || unbound.length === 0) return lines;
  const wide = Math.max(...unbound.map((one) => addressOf(one).length));
  return [
    ...lines,
    "",
    terminal.style("bold", "not bound: these respond from examples and schemas"),
    ...unbound.map((one) => `  ${addressOf(one).padEnd(wide)}  ${terminal.style("dim", printable(one.why))}`),
  ];
}

interface Shown {
  /** Of the longest address. */
  readonly width: number;
  readonly evidence: readonly Evidence[];
}

function collectionLines(
  terminal: Terminal,
  { name, idKey, operations }: BoundCollection,
  { width, evidence }: Shown,
): string[] {
  const dim = (text: string): string => terminal.style("dim", printable(text));
  const about = (bound: BoundOperation | undefined) => evidence.filter((one) => one.bound === bound);
  return [
    `${terminal.style("bold", printable(name))}  ${dim(`id: ${idKey}`)}`,
    ...about(undefined).map((one) => dim(`  ${one.guess.padEnd(8)} ${reasonText(one)}`)),
    ...operations.flatMap((one) => {
      const action = terminal.style("cyan", one.action.padEnd(7));
      return [
        `  ${action}  ${addressOf(one).padEnd(width)}  ${dim(detailsOf(one))}`,
        ...[
          ...meaningsOf(one),
          ...about(one).map((because) => `${because.guess.padEnd(7)} ${reasonText(because)}`),
        ].map((line) => dim(`             ${line}`)),
      ];
    }),
  ];
}

/** `id: the closest property to {petId} of /pets/{petId}` */
function reasonText({ value, because }: Evidence): string {
  return `${value}: ${because}`;
}

/** `GET    /pets/{petId}` */
function addressOf({ operation }: Pick<BoundOperation, "operation">): string {
  return `${operation.method.padEnd(6)} ${printable(operation.path.text)}`;
}

/** `list at data; {id} is ownerId of owners` */
function detailsOf({ why, parents }: BoundOperation): string {
  const keys = parents.map(({ parameter, field, isInRecord, collection }) => {
    const owner = collection === undefined ? "" : ` of ${collection}`;
    return `{${parameter}} is ${field}${owner}${isInRecord ? "" : " (stored, not sent)"}`;
  });
  return [why, ...keys].join("; ");
}

/** `fields  total: meta.total, page: meta.page` and `query   ?limit, ?status filters` */
function meaningsOf({ envelope, parameters }: BoundOperation): string[] {
  return [
    ...(envelope.length > 0
      ? [`fields  ${envelope.map(({ path, role }) => `${path.join(".")} (${role})`).join(", ")}`]
      : []),
    ...(parameters.length > 0 ? [`query   ${parameters.map(parameterText).join(", ")}`] : []),
  ];
}

/** `?limit`, `?per_page (limit)`, `?status (filter)`, `?ownerId (filter owner_id)`, `?min_price (filter price gte)` */
function parameterText({ name, role, field, operator, states }: BoundOperation["parameters"][number]): string {
  if (states) return `?${name} (${role} ${statesText(states)})`;
  const isPlain = role !== "filter" || (field === name && operator === undefined);
  const meaning = isPlain ? role : [role, field, operator].filter((word) => word !== undefined).join(" ");
  return meaning === name ? `?${name}` : `?${name} (${meaning})`;
}

/** `"true": deletedAt null false` */
function statesText(states: NonNullable<BoundOperation["parameters"][number]["states"]>): string {
  const texts = Object.entries(states).map(
    ([value, { field, operator = "eq", value: wanted }]) => `"${value}": ${field} ${operator} ${wanted}`,
  );
  return texts.join("; ");
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The bindings for programs. */
export function bindingsJson({ file, collections, unbound, evidenceFor }: ExplainedBindings): Json {
  return {
    file,
    collections: collections.map((collection) => ({
      name: collection.name,
      path: collection.path,
      id: collection.idKey,
      record: collection.record.place,
      evidence: evidenceFor(collection).map(({ guess, value, because, bound }) => ({
        guess,
        value,
        because,
        operation: bound ? `${bound.operation.method} ${bound.operation.path.text}` : null,
      })),
      operations: collection.operations.map(operationJson),
    })),
    unbound: unbound.map(({ operation, why }) => ({ method: operation.method, path: operation.path.text, why })),
  };
}

function operationJson(bound: BoundOperation): Json {
  const { operation, action, success, at, isListOfOne, wrapper, requestAt, parents, envelope, parameters, why } = bound;
  return {
    method: operation.method,
    path: operation.path.text,
    action,
    status: success.status,
    idParameter: bound.idParameter ?? null,
    at: at ? [...at] : null,
    isListOfOne,
    elementAt: wrapper ? [...wrapper.at] : [],
    requestAt: [...requestAt],
    keys: bound.keys.map(({ parameter, path }) => ({ parameter, path: [...path] })),
    parents: parents.map(({ parameter, field, holder, isOfAll, isTold, isInRecord, collection }) => ({
      ...{ parameter, field, isOfAll, isTold, isInRecord },
      holder: holder ?? null,
      collection: collection ?? null,
    })),
    envelope: envelope.map(({ path, role }) => ({ path: [...path], role })),
    parameters: parameters.map((parameter) => ({ ...parameter })),
    why,
  };
}
