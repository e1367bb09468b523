import { StandinError } from "../../base/errors.ts";
import type { ByteRange } from "./file-store.ts";

interface RangeRequest {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
}

/**
 * The part of a file that a request wants (RFC 9110, 14.2); undefined for all of it, as for several ranges, other units and
 * an `If-Range` that names another version. Throws where the file has no such part.
 */
export function requestedRange({ range, ifRange }: RangeRequest, size: number, etag: string): ByteRange | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const wanted =
    first === ""
      ? { first: Math.max(0, size - Number(last)), last: size - 1 }
      : { first: Number(first), last: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
  if (wanted.first < size && wanted.last >= wanted.first) return wanted;
  throw new StandinError("RANGE_INVALID", `The file has ${size} bytes, and no such range: ${range}.`, {
    "Content-Range": `bytes */${size}`,
  });
}
