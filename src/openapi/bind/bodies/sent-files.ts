import type { Operation } from "../../read/api-document.ts";
import type { Shapes } from "../schema-shape.ts";
import { isBytes } from "./bodies.ts";

/** Whether a request is a file. */
export function sendsBytes({ requestBody }: Operation): boolean {
  return requestBody?.contents.some(isBytes) === true;
}

/** Whether a request is a file, or its form has one in it. */
export function sendsFile(shapes: Shapes, operation: Operation): boolean {
  const { requestBody } = operation;
  if (sendsBytes(operation)) return true;
  const schema = requestBody?.contents.find(({ type }) => /^multipart\//i.test(type))?.schema;
  const properties = schema && shapes.of(schema).properties;
  return [...(properties?.values() ?? [])].some((one) => shapes.of(one).format === "binary");
}
