import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { type FileObject, fileUrl, isFileObject, isSha256 } from "../../base/file-object.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { memberName, segmentsOf } from "../../http/router.ts";
import { shownName } from "./file-name.ts";
import type { FileStore } from "./file-store.ts";
import { isHeld } from "./named-files.ts";
import { senderOf } from "./sender-of.ts";

const DAY_MS = 86_400_000;
/** The most uploads that are remembered by their senders. */
const MAX_UPLOADS = 100_000;

export interface AdmissionParts {
  readonly store: FileStore;
  /** Whether users may see different things. */
  readonly isGuarded: boolean;
  readonly view: (call: Call) => Service;
  readonly now: () => number;
}

/**
 * Lets a body name a file only if its sender may read a record with it, or has uploaded it within a day. Whether the file
 * exists makes no difference, so that nobody can find out which files there are.
 */
export class Admission {
  readonly #parts: AdmissionParts;
  /** When whom uploaded what: sender and hash. */
  readonly #uploads = new Map<string, number>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  noteUpload(call: Call, sha256: string): void {
    if (!this.#parts.isGuarded) return;
    const key = `${senderOf(call)}\n${sha256}`;
    this.#uploads.delete(key);
    this.#uploads.set(key, this.#parts.now());
    for (const [oldest, at] of this.#uploads) {
      if (this.#uploads.size <= MAX_UPLOADS && this.#parts.now() - at < DAY_MS) break;
      this.#uploads.delete(oldest);
    }
  }

  /** The body with its file objects as they are stored: sizes and addresses are ours to say. */
  admit(call: Call, body: Json): Eventually<Json> {
    const named = this.#named(body, new Set());
    return named.size === 0 ? body : this.#admitNamed(call, body, named);
  }

  async #admitNamed(call: Call, body: Json, named: ReadonlySet<string>): Promise<Json> {
    const sizes = new Map<string, number | undefined>();
    for (const sha256 of named) {
      if (!(await this.#isKnown(call, sha256))) throw fileUnknown(sha256);
      await this.#parts.store.renew(sha256);
      sizes.set(sha256, (await this.#parts.store.find(sha256))?.size);
    }
    return asStored(body, sizes);
  }

  async #isKnown(call: Call, sha256: string): Promise<boolean> {
    const { store, isGuarded, view, now } = this.#parts;
    const uploadedAt = isGuarded
      ? this.#uploads.get(`${senderOf(call)}\n${sha256}`)
      : (await store.find(sha256))?.usedAt;
    if (uploadedAt !== undefined && now() - uploadedAt < DAY_MS) return true;
    if (call.isWriteOnly) return false;
    const seen = view(call).store;
    // A public route opens its own collection alone.
    return isHeld(seen, sha256, call.isPublic ? collectionOf(call, seen) : undefined);
  }

  /** Where users see different things, a hash counts wherever it could become part of a file, also by a JSON Patch. */
  #named(value: Json, found: Set<string>): Set<string> {
    if (typeof value !== "object" || value === null) return found;
    if (!Array.isArray(value)) {
      if (isFileObject(value) || (this.#parts.isGuarded && isSha256(value.sha256))) found.add(String(value.sha256));
      if (this.#parts.isGuarded && namesHash(value)) found.add(String(value.value));
    }
    for (const part of Object.values(value)) this.#named(part, found);
    return found;
  }
}

/** The collection of a public route; empty for none, which no member is called. */
function collectionOf({ target }: Call, store: Service["store"]): string {
  return memberName(store, segmentsOf(target.path)[0] ?? "") ?? "";
}

function namesHash({ op, path }: JsonObject): boolean {
  return (
    typeof op === "string" && op !== "test" && op !== "remove" && typeof path === "string" && path.endsWith("/sha256")
  );
}

function asStored(value: Json, sizes: ReadonlyMap<string, number | undefined>): Json {
  if (Array.isArray(value)) return value.map((element) => asStored(element, sizes));
  if (!isJsonObject(value)) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, asStored(part, sizes)]));
  if (!isFileObject(value)) return parts;
  const { sha256, name, size }: FileObject = value;
  const shown = shownName(name);
  // A record keeps the size of a file that was lost.
  return { ...parts, name: shown, size: sizes.get(sha256) ?? size, url: fileUrl(sha256, shown) };
}

function fileUnknown(sha256: string): StandinError {
  return new StandinError(
    "FILE_UNKNOWN",
    `No record that you may read has the file ${sha256.slice(0, 100)}, and you have not uploaded it within a day. Upload it first.`,
  );
}
