import { StandinError } from "../../base/errors.ts";
import { type FileObject, fileUrl } from "../../base/file-object.ts";
import { type Json, type JsonObject, toJson } from "../../base/json/json.ts";
import { type Call, isOwnPath } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import type { Admission } from "./admission.ts";
import { createKinds } from "./field-kinds.ts";
import { shownName } from "./file-name.ts";
import type { FileLimits, FileStore, KeptFile } from "./file-store.ts";
import { typeOfFile } from "./file-type.ts";
import { type FormPart, type ReadForm, recordOfForm } from "./form.ts";
import { isHeld } from "./named-files.ts";
import { untilIdle } from "./until-idle.ts";

const FORM = /^multipart\/form-data\b/i;
const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

interface UploadsParts {
  readonly store: FileStore;
  readonly limits: FileLimits;
  readonly readForm: ReadForm;
  readonly maxBodyBytes: number;
  /** The service as the user of a request sees it. */
  readonly view: (call: Call) => Service;
  /** Whether users may see different things. */
  readonly isGuarded: boolean;
  readonly admission: Admission;
}

interface FileHead {
  readonly name: string | undefined;
  readonly type: string | undefined;
}

/** Takes files in: from forms, and alone. */
export class Uploads {
  readonly store: FileStore;
  /** Whether there may be any file. */
  hasFiles: boolean;
  readonly #parts: UploadsParts;

  constructor(parts: UploadsParts, hasFiles: boolean) {
    this.store = parts.store;
    this.hasFiles = hasFiles;
    this.#parts = parts;
  }

  get isGuarded(): boolean {
    return this.#parts.isGuarded;
  }

  /** Whether the user of a request may read a record with the file. */
  async isReadable(call: Call, sha256: string): Promise<boolean> {
    return !this.isGuarded || isHeld(this.#parts.view(call).store, sha256);
  }

  /** A file; one that was set aside comes back where data that names it did, by a reset or a changed data file. */
  async find(call: Call, sha256: string): Promise<KeptFile | undefined> {
    const file = await this.store.find(sha256);
    if (file || !(await this.store.aside()).includes(sha256)) return file;
    const isNamed = await isHeld(this.#parts.view(call).store, sha256);
    return isNamed && (await this.store.recall(sha256)) ? this.store.find(sha256) : undefined;
  }

  /** The record that a form with files describes; undefined for bodies of other types, and where no form is expected. */
  readForm(call: Call): Promise<Json | undefined> | undefined {
    const { method, target } = call;
    if (!isForm(call) || !WRITES.has(method) || isOwnPath(target.path)) return undefined;
    return this.#readRecord(call);
  }

  async #readRecord(call: Call): Promise<JsonObject> {
    const parts = await this.readParts(call);
    const names = parts.flatMap(({ name, value }) => (typeof value === "string" ? name : []));
    return recordOfForm(parts, await createKinds(this.#parts.view(call), call.target.path, names));
  }

  /** The parts of a form, its files stored. */
  async readParts(call: Call): Promise<readonly FormPart[]> {
    const { maxBodyBytes, readForm } = this.#parts;
    const store = async (content: AsyncIterable<Uint8Array>, name: string | undefined, type: string) => {
      const some = await someOf(content);
      if (some === undefined && !name) return undefined;
      return toJson(await this.#keep(call, some ?? content, { name, type }));
    };
    return this.#reading(call, (content) => readForm(content, { headers: call.headers, maxBodyBytes, store }));
  }

  /** Stores a body that is one file. */
  async receive(call: Call, head: FileHead): Promise<FileObject> {
    return this.#reading(call, (content) => this.#keep(call, content, head));
  }

  /** Stores a file that was read with the rest of a body. */
  async receiveBytes(call: Call, bytes: Uint8Array, head: FileHead): Promise<FileObject> {
    return this.#keep(call, onePiece(bytes), head);
  }

  async #keep(call: Call, content: AsyncIterable<Uint8Array>, { name, type }: FileHead): Promise<FileObject> {
    const { sha256, size, head } = await this.store.write(content, this.#parts.limits);
    this.hasFiles = true;
    this.#parts.admission.noteUpload(call, sha256);
    const shown = shownName(name);
    return { name: shown, type: typeOfFile(head, type), size, sha256, url: fileUrl(sha256, shown) };
  }

  /** Reads the body; the client hears of a refusal although it has not sent all of it. */
  async #reading<T>(call: Call, read: (content: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    try {
      return await read(untilIdle(contentOf(call)));
    } catch (thrown) {
      if (!call.isBodyRead) void call.drain();
      if (thrown instanceof StandinError || !call.hasLeft) throw thrown;
      throw new StandinError("REQUEST_MALFORMED", "The body ended before it was complete.");
    }
  }
}

export function isForm({ headers }: Call): boolean {
  return FORM.test(headers["content-type"] ?? "");
}

/** The bytes of a body, which a host may have read already. */
function contentOf(call: Call): AsyncIterable<Uint8Array> {
  const given = call.keptBytes ?? call.givenBody();
  const encoding = call.headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity") throw notHere("Send files without Content-Encoding.");
  const content = given instanceof Uint8Array ? onePiece(given) : call.stream();
  if (content) return content;
  throw notHere("A batch and other calls in this process take no files. Upload them by requests of their own.");
}

export function notHere(message: string): StandinError {
  return new StandinError("BODY_TYPE_UNSUPPORTED", message);
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The same content, or undefined where it is empty: the input for a file that was not chosen. */
async function someOf(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | undefined> {
  const pieces = content[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return undefined;
  return (async function* again() {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
}
