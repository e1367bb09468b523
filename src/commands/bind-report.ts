import type { Json } from "../base/json/json.ts";
import type { Bindings, BoundCollection, BoundOperation } from "../openapi/bind/binding.ts";
import { printable, type Terminal } from "./terminal.ts";

/** The bindings as a table for people. */
export function bindingsText(
  terminal: Terminal,
  file: string,
  { collections, unbound }: Bindings,
  isQuiet: boolean,
): string[] {
  const bound = collections.reduce((sum, { operations }) => sum + operations.length, 0);
  const all = bound + unbound.length;
  const width = Math.max(0, ...collections.flatMap(({ operations }) => operations.map((one) => addressOf(one).length)));
  const lines = [
    `${printable(file)}: ${counted(collections.length, "collection")}, ${bound} of ${counted(all, "operation")} bound`,
    ...collections.flatMap((collection) => ["", ...collectionLines(terminal, collection, width)]),
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

function collectionLines(terminal: Terminal, { name, idKey, operations }: BoundCollection, width: number): string[] {
  return [
    `${terminal.style("bold", printable(name))}  ${terminal.style("dim", `id: ${printable(idKey)}`)}`,
    ...operations.flatMap((one) => {
      const action = terminal.style("cyan", one.action.padEnd(7));
      return [
        `  ${action}  ${addressOf(one).padEnd(width)}  ${terminal.style("dim", printable(detailsOf(one)))}`,
        ...meaningsOf(one).map((line) => terminal.style("dim", printable(`             ${line}`))),
      ];
    }),
  ];
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

/** `?limit`, `?per_page (limit)`, `?status (filter)`, `?ownerId (filter owner_id)` */
function parameterText({ name, role, field }: BoundOperation["parameters"][number]): string {
  const meaning = role === "filter" && field !== name ? `filter ${field}` : role;
  return meaning === name ? `?${name}` : `?${name} (${meaning})`;
}

/** The bindings for programs. */
export function bindingsJson(file: string, { collections, unbound }: Bindings): Json {
  return {
    file,
    collections: collections.map(({ name, path, idKey, record, operations }) => ({
      name,
      path,
      id: idKey,
      record: record.place,
      operations: operations.map(operationJson),
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
    parents: parents.map(({ collection, ...parent }) => ({ ...parent, collection: collection ?? null })),
    envelope: envelope.map(({ path, role }) => ({ path: [...path], role })),
    parameters: parameters.map((parameter) => ({ ...parameter })),
    why,
  };
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
