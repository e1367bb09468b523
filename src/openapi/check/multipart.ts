import { parse as parseContentType } from "content-type";
import { Buffer } from "../../base/platform/buffer.ts";

/** The most parts that are read. */
const MAX_PARTS = 1000;

/** A file in a form. */
export interface SentFile {
  /** The field that it was sent in. */
  readonly field: string;
  readonly name: string;
  readonly type: string | undefined;
  readonly content: Buffer;
}

/** The fields of a multipart form with their texts, several for a repeated one; undefined where there is no boundary. */
export function readMultipart(text: string, contentType: string): Map<string, string[]> | undefined {
  const parts = partsIn(text, contentType);
  if (!parts) return undefined;
  const fields = new Map<string, string[]>();
  for (const { head, value } of parts) {
    const name = dispositionOf(head, "name");
    if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

/** The files of a multipart form. */
export function filesIn(body: Buffer, contentType: string): SentFile[] {
  // In Latin-1, every byte is one character.
  return (partsIn(body.toString("latin1"), contentType) ?? []).flatMap(({ head, value }): SentFile[] => {
    const [field, name] = [dispositionOf(head, "name"), dispositionOf(head, "filename")];
    if (field === undefined || name === undefined) return [];
    const type = /^content-type:\s*([^\s;]+)/im.exec(head)?.[1];
    return [{ field, name: Buffer.from(name, "latin1").toString("utf8"), type, content: Buffer.from(value, "latin1") }];
  });
}

function partsIn(text: string, contentType: string): { head: string; value: string }[] | undefined {
  const boundary = parseContentType(contentType).parameters.boundary;
  if (boundary === undefined || boundary === "") return undefined;
  const parts = `\r\n${text}`.split(`\n--${boundary}`, MAX_PARTS + 1).slice(1);
  const end = parts.findIndex((part) => part.startsWith("--"));
  return (end === -1 ? parts : parts.slice(0, end)).flatMap((part) => {
    const headEnd = /\r?\n\r?\n/.exec(part);
    if (!headEnd) return [];
    return [
      { head: part.slice(0, headEnd.index), value: part.slice(headEnd.index + headEnd[0].length).replace(/\r$/, "") },
    ];
  });
}

function dispositionOf(head: string, parameter: "name" | "filename"): string | undefined {
  const line = head.split(/\r?\n/).find((one) => /^content-disposition:/i.test(one)) ?? "";
  const form = parameter === "name" ? /;\s*name=(?:"([^"]*)"|([^;\s]+))/i : /;\s*filename=(?:"([^"]*)"|([^;\s]+))/i;
  const [, quoted, plain] = form.exec(line) ?? [];
  return quoted ?? plain;
}
