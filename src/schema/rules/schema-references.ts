import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";

export type Schema = JsonObject | boolean;

interface NotedReference {
  readonly path: string;
  readonly keyword: string;
  readonly ref: string;
}

/** The schemas inside one schema, and the references from one to another. */
export class References {
  readonly all: NotedReference[] = [];
  readonly #root: JsonObject;
  readonly #schemas = new Set<Schema>();
  readonly #anchors = new Map<string, Schema>();
  #last: Schema = true;
  #count = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** The number of schemas seen. */
  get size(): number {
    return this.#count;
  }

  add(schema: Schema): void {
    this.#count++;
    this.#last = schema;
    this.#schemas.add(schema);
  }

  /** Names the schema that was added last; false if another has the name. A schema may repeat its own. */
  addAnchor(name: string, _keyword: string): boolean {
    const known = this.#anchors.get(name);
    if (known !== undefined && known !== this.#last) return false;
    this.#anchors.set(name, this.#last);
    return true;
  }

  note(path: string, keyword: string, ref: string): void {
    this.all.push({ path, keyword, ref });
  }

  /** The schema that a reference leads to; undefined if there is none. */
  resolve(ref: string): Schema | undefined {
    const fragment = this.#fragmentOf(ref);
    if (fragment === undefined) return undefined;
    if (fragment === "") return this.#root;
    if (!fragment.startsWith("/")) return this.#anchors.get(fragment);
    let value: Json | undefined = this.#root;
    for (const step of fragment.slice(1).split("/")) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(value)) value = value[Number(key)];
      else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    return this.#schemas.has(value as Schema) ? (value as Schema) : undefined;
  }

  /** Why a reference cannot be followed; follows its text. */
  problemOf(ref: string): string | undefined {
    if (this.#fragmentOf(ref) === undefined) {
      return "leaves this schema; only references inside it are followed, such as #/$defs/address.";
    }
    return this.resolve(ref) === undefined ? "does not lead to a schema." : undefined;
  }

  #fragmentOf(ref: string): string | undefined {
    const { $id } = this.#root;
    const own = typeof $id === "string" ? $id.replace(/#$/, "") : undefined;
    const at = ref.indexOf("#");
    const [address, fragment] = at === -1 ? [ref, ""] : [ref.slice(0, at), ref.slice(at + 1)];
    if (address !== "" && address !== own) return undefined;
    try {
      return decodeURIComponent(fragment);
    } catch {
      return undefined;
    }
  }
}
