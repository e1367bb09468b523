import type { JsonObject } from "../../base/json/json.ts";
import type { DataShape } from "./data-shape.ts";

/** The name of the type that stored files have in descriptions, in every language. */
export const FILE_TYPE_NAME = "StandinFile";

/** The schema of the objects that stand for stored files. */
export const FILE_SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    type: { type: "string" },
    size: { type: "integer" },
    sha256: { type: "string" },
    url: { type: "string" },
  },
  required: ["name", "type", "size", "sha256", "url"],
} as const satisfies JsonObject;

const HASH_LENGTH = 64;

/** Whether the objects of a shape stand for stored files; other values may stand beside them. */
export function isFileShape({ fields, objects, isDictionary }: DataShape): boolean {
  const hash = fields.get("sha256")?.lengths;
  if (objects === 0 || isDictionary || hash?.least !== HASH_LENGTH || hash.greatest !== HASH_LENGTH) return false;
  const { required } = FILE_SCHEMA;
  return fields.size === required.length && required.every((name) => fields.get(name)?.count === objects);
}

/** A field of records that holds a stored file, or a list of them. */
export interface FileField {
  readonly name: string;
  readonly isList: boolean;
}

export function fileFieldsOf(shape: DataShape): FileField[] {
  return [...shape.fields].flatMap(([name, field]) => {
    const kind = fileKindOf(field);
    return kind === undefined ? [] : [{ name, isList: kind === "list" }];
  });
}

/** Whether a field holds a stored file, or a list of them. */
export function fileKindOf(field: DataShape): "one" | "list" | undefined {
  if (isFileShape(field)) return "one";
  return field.items && isFileShape(field.items) ? "list" : undefined;
}

/** Whether files are somewhere in the values, however deep. */
export function holdsFiles(shape: DataShape): boolean {
  if (isFileShape(shape)) return true;
  return [...shape.fields.values(), ...(shape.items ? [shape.items] : [])].some(holdsFiles);
}
