import { isJsonObject } from "../../base/json/json.ts";
import type { Operation } from "../read/api-document.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";

/** Verbs of things that end and stay. */
const VERBS = /^\W*(cancel|archive|deactivate|disable|close|revoke|void|terminate|expire)s?\b/i;

/** The verb that the text of a DELETE begins with, if records stay after it: "Cancels a subscription." */
export function endingVerb({ operationId, summary, description }: Operation): string | undefined {
  const text = summary || description?.replace(/<[^>]*>/g, "") || operationId?.replace(/([a-z])([A-Z])/g, "$1 $2");
  return VERBS.exec(text ?? "")?.[1]?.toLowerCase();
}

/** Whether a DELETE ends its record and keeps it: its verb is a state, a flag or a time of the record. */
export function isEnding(shapes: Shapes, operation: Operation, record: SchemaShape): boolean {
  const stem = endingVerb(operation)?.replace(/e$/, "");
  if (stem === undefined) return false;
  return [...record.properties.keys()].some((name) => {
    if (name.startsWith(stem)) return /^[a-z]*ed(?:$|_|[A-Z])/.test(name.slice(stem.length));
    const schema = /^(?:status|state)$/i.test(name) ? shapes.property(record, name)?.schema.value : undefined;
    const states = isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : [];
    return states.some((state) => String(state).toLowerCase().startsWith(stem));
  });
}
