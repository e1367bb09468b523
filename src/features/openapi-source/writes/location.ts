import type { Call } from "../../../http/call.ts";
import type { PathParts } from "../../../http/contract.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";

export type LocationOf = (call: Call, parts: PathParts, id: string) => string | undefined;

/** The address of a new record, under the same base path that the client used. */
export function createLocation({ operations }: BoundCollection, created: BoundOperation): LocationOf {
  const known = new Set(created.operation.path.names);
  const item = operations.find(
    ({ idParameter, operation: { path } }) =>
      idParameter !== undefined && path.names.every((name) => name === idParameter || known.has(name)),
  );
  if (!item) return () => undefined;
  const { idParameter, operation } = item;
  const ownLength = segmentsIn(created.operation.path.text);
  return ({ client, baseUrl }, parts, id) => {
    const path = operation.path.text.replace(/\{([^{}]+)\}/g, (_whole, name: string) =>
      encodeURIComponent(name === idParameter ? id : (parts[name] ?? "")),
    );
    const segments = client.path
      .replace(/(?<!\/)\/+$/, "")
      .split("/")
      .slice(1);
    const base = segments.slice(0, Math.max(0, segments.length - ownLength));
    return `${baseUrl}${base.map((segment) => `/${segment}`).join("")}${path}`;
  };
}

function segmentsIn(path: string): number {
  return path.split("/").filter((segment) => segment !== "").length;
}
