import { parse as parseContentType } from "content-type";

/** The most parts that are read. */
const MAX_PARTS = 1000;

/** The fields of a multipart form with their texts, several for a repeated one; undefined where there is no boundary. */
export function readMultipart(text: string, contentType: string): Map<string, string[]> | undefined {
  const boundary = parseContentType(contentType).parameters.boundary;
  if (boundary === undefined || boundary === "") return undefined;
  const fields = new Map<string, string[]>();
  const parts = `\r\n${text}`.split(`\n--${boundary}`, MAX_PARTS + 1).slice(1);
  for (const part of parts) {
    if (part.startsWith("--")) break;
    const headEnd = /\r?\n\r?\n/.exec(part);
    if (!headEnd) continue;
    const name = nameIn(part.slice(0, headEnd.index));
    if (name === undefined) continue;
    const value = part.slice(headEnd.index + headEnd[0].length).replace(/\r$/, "");
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

function nameIn(head: string): string | undefined {
  const disposition = head.split(/\r?\n/).find((line) => /^content-disposition:/i.test(line));
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? "") ?? [];
  return quoted ?? plain;
}
