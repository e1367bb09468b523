/** Where the server is, and what every request sends. */
export interface StandinClientOptions {
  /** The address of the server; http://localhost:3000 unless given. */
  readonly url?: string | undefined;
  /** A sandbox: a private copy of the data, created by the first request that names it. */
  readonly sandbox?: string | undefined;
  /** The name of a user to sign in as, where the layer sign-in is listed. Only programs on the server's machine may. */
  readonly user?: string | undefined;
  /** Headers of every request, such as X-API-KEY or Authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests; the global fetch unless given. */
  readonly fetch?: typeof fetch | undefined;
}

/** Operators on one value. All that are given must be met. */
export interface StandinOperators<V> {
  /** The value equals the text. */
  readonly eq?: V | null;
  /** The value exists and does not equal the text. */
  readonly ne?: V | null;
  /** The value is more than the bound. */
  readonly gt?: V;
  /** The value is at least the bound. */
  readonly gte?: V;
  /** The value is less than the bound. */
  readonly lt?: V;
  /** The value is at most the bound. */
  readonly lte?: V;
  /** The value equals one of the list. */
  readonly in?: readonly (V | null)[];
  /** The value exists and equals none of the list. */
  readonly nin?: readonly (V | null)[];
  /** The value matches the pattern, in any case. */
  readonly like?: string;
  /** The value is a string that contains the text, in any case. */
  readonly contains?: string;
  /** The value is a string that starts with the text, in any case. */
  readonly startsWith?: string;
  /** The value is a string that ends with the text, in any case. */
  readonly endsWith?: string;
  /** The value is a place with `lat` and `lon` that is no farther away than the distance. */
  readonly near?: string;
  /** The value is missing or null; with `false`: exists and is not null. */
  readonly null?: boolean;
}

/** Those that a whole object can meet. */
type StandinObjectOperators = Pick<StandinOperators<never>, "near" | "null">;

/** A value to be equal to, a list of them, or operators. An array meets a condition if one of its elements does. */
export type StandinCondition<V> = unknown extends V
  ? unknown
  : StandinOnScalar<Extract<V, string | number | boolean>> | StandinOnObject<Exclude<V, string | number | boolean>>;

type StandinOnScalar<V> = [V] extends [never] ? never : V | null | readonly (V | null)[] | StandinOperators<V>;

type StandinOnObject<V> = V extends readonly (infer Element)[]
  ? StandinCondition<Element> | StandinObjectOperators
  : V extends object
    ? StandinWhere<V> | null | StandinObjectOperators
    : null;

/** Conditions on the fields of a record, all to be met: `{ price: { gte: 5 }, state: ["new", "used"] }`. */
export type StandinWhere<T> = unknown extends T
  ? { readonly [field: string]: unknown }
  : { readonly [K in StandinKey<T>]?: StandinCondition<StandinValue<T, K>> | undefined } & StandinCombined<T>;

/** A field of one of these names takes precedence. */
type StandinCombined<T> = {
  readonly [K in Exclude<"or" | "and", StandinKey<T>>]?: readonly StandinWhere<T>[] | undefined;
} & { readonly [K in Exclude<"not", StandinKey<T>>]?: StandinWhere<T> | undefined };

type StandinKey<T> = T extends unknown ? Extract<keyof T, string> : never;
type StandinValue<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** A field, or a path that begins with one: `price`, `address.city`. */
export type StandinPath<T> = unknown extends T ? string : StandinKey<T> | `${StandinKey<T>}.${string}`;

/** Related records to add. They are no part of the record's type: `get<{ company: Company }>(1, { expand: "company" })`. */
export interface StandinRelations {
  /** Children, by the name of their collection: `"products"`. */
  readonly embed?: string | readonly string[] | undefined;
  /** Parents, in the singular: `"company"`. */
  readonly expand?: string | readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which records, in which order. */
export interface StandinQuery<T> extends StandinRelations {
  readonly where?: StandinWhere<T> | undefined;
  /** A text that some value of the record contains. */
  readonly search?: string | undefined;
  /** `"price"` is ascending, `"-price"` descending. */
  readonly sort?: StandinSort<T> | readonly StandinSort<T>[] | undefined;
}

/** A path, or a distance: `"headquarter:near(41.9,12.5)"`. */
export type StandinSort<T> = `${"" | "-"}${StandinPath<T>}${"" | `:${string}(${string})`}`;

/** A part of the records that a query finds. */
export interface StandinSlice<T> extends StandinQuery<T> {
  /** How many records to leave out at the beginning. */
  readonly start?: number | undefined;
  /** How many records to return at most. */
  readonly limit?: number | undefined;
}

export interface StandinPage<T> {
  readonly records: T[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** How many records there are on all pages. */
  readonly total: number;
}

/** A new record: the fields that the server fills in may be left out. */
export type StandinDraft<T, Filled extends PropertyKey> = unknown extends T
  ? unknown
  : T extends object
    ? { [K in keyof T as K extends Filled ? never : K]: T[K] } & {
        [K in keyof T as K extends Filled ? K : never]?: T[K];
      }
    : T;

/** A stored file, as records hold it. */
export interface StandinFile {
  readonly name: string;
  /** A media type: image/png. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Where the server sends the content. */
  readonly url: string;
}

/** The fields of a record that can hold a file, or a list of them. */
export type StandinFileField<T> = unknown extends T
  ? string
  : T extends unknown
    ? { [K in StandinKey<T>]: StandinHolds<StandinValue<T, K>> extends true ? K : never }[StandinKey<T>]
    : never;

type StandinHolds<V> = StandinFile extends V ? true : StandinFile[] extends V ? true : false;

/** A rule that a record breaks. */
export interface StandinViolation {
  /** A JSON pointer to the value: `/price`. */
  readonly pointer: string;
  readonly [fact: string]: unknown;
}

/** Codes that requests for records can meet. There are more, so any other text is one, too. */
export type StandinErrorCode =
  | "BODY_NOT_OBJECT"
  | "COLLECTION_NOT_FOUND"
  | "ID_INVALID"
  | "ID_TAKEN"
  | "INTERNAL_ERROR"
  | "QUERY_INVALID"
  | "RATE_LIMIT_EXCEEDED"
  | "READ_ONLY"
  | "RECORD_CHANGED"
  | "RECORD_INVALID"
  | "RECORD_NOT_FOUND"
  | "RECORD_REFERENCED"
  | "SANDBOX_FULL"
  | "STORE_UNAVAILABLE"
  | (string & {});

/** An error response: `code` is for programs, `message` for people. */
export class StandinClientError extends Error {
  override readonly name: string = "StandinClientError";
  readonly status: number;
  readonly code: StandinErrorCode;
  /** The rules that a record breaks, if the code is RECORD_INVALID. */
  readonly violations: readonly StandinViolation[];
  /** The whole body of the response. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const { message, code, errors } = (Object(body) === body ? body : {}) as { [name: string]: unknown };
    super(typeof message === "string" ? message : `The server responded with status ${status}.`);
    this.status = status;
    this.code = typeof code === "string" ? code : `HTTP_${status}`;
    this.violations = Array.isArray(errors) ? errors : [];
    this.body = body;
  }
}

/** The record has changed since it was read, so nothing was written. Read it again and repeat the change. */
export class StandinConflictError extends StandinClientError {
  override readonly name = "StandinConflictError";
  /** The tag that the record has now. */
  readonly etag: string | undefined;

  constructor(status: number, body: unknown, etag: string | undefined) {
    super(status, body);
    this.etag = etag;
  }
}

/**
 * A collection. `get`, `create`, `replace` and `update` remember the version of the record they return. Give that record
 * to `replace`, `update` or `delete`, and they throw a `StandinConflictError` if it has changed since. Give them its id,
 * and they do not check.
 */
export class StandinCollection<T, Id extends string | number, Filled extends PropertyKey = never> {
  readonly #connection: StandinConnection;
  readonly #path: string;
  readonly #idKey: string;

  constructor(connection: StandinConnection, name: string, idKey: string) {
    this.#connection = connection;
    this.#path = `/${encodeURIComponent(name)}`;
    this.#idKey = idKey;
  }

  /** The records of a query, in one response. */
  async list<Added = unknown>(query: StandinSlice<T> = {}): Promise<(T & Added)[]> {
    const window = [
      ["_start", query.start],
      ["_limit", query.limit],
    ] as const;
    return (await this.#find<T & Added>(query, window)).records;
  }

  /** One page, from 1, and how many there are. */
  async page<Added = unknown>(page: number, query: StandinQuery<T> = {}, size = 10): Promise<StandinPage<T & Added>> {
    const { records, headers } = await this.#find<T & Added>(query, [
      ["_page", page],
      ["_limit", size],
    ]);
    const total = Number(headers.get("X-Total-Count"));
    return { records, page, pages: Math.ceil(total / size), total };
  }

  /** All records of a query, page by page: `for await (const record of client.products.all())`. */
  async *all<Added = unknown>(query: StandinQuery<T> = {}, pageSize = 100): AsyncGenerator<T & Added, void, undefined> {
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      // Typed because it depends on itself.
      const { records, headers }: StandinFound<T & Added> = await this.#find<T & Added>(query, [
        ["_limit", pageSize],
        ["_after", cursor],
      ]);
      yield* records;
      cursor = nextCursor(headers.get("Link"));
    }
  }

  /** How many records a query finds. */
  async count(query: Pick<StandinQuery<T>, "where" | "search" | "signal"> = {}): Promise<number> {
    const { records } = await this.#find<{ count: number }>(query, [["_aggregate", "count"]]);
    return records[0]?.count ?? 0;
  }

  /** The record with this id; an error with the code RECORD_NOT_FOUND if there is none. */
  get<Added = unknown>(id: Id, relations: StandinRelations = {}): Promise<T & Added> {
    return this.#connection.record("GET", this.#recordPath(id, relations), { signal: relations.signal });
  }

  /** The record with this id, or undefined. */
  async find<Added = unknown>(id: Id, relations: StandinRelations = {}): Promise<(T & Added) | undefined> {
    try {
      return await this.get<Added>(id, relations);
    } catch (thrown) {
      if (thrown instanceof StandinClientError && thrown.code === "RECORD_NOT_FOUND") return undefined;
      throw thrown;
    }
  }

  create(record: StandinDraft<T, Filled>): Promise<T> {
    return this.#connection.record("POST", this.#path, { body: record });
  }

  /** Creates all of these records, up to 5000, or none. */
  async createAll(records: readonly StandinDraft<T, Filled>[]): Promise<T[]> {
    return (await this.#connection.send("POST", this.#path, { body: records })).body as T[];
  }

  /** Replaces all fields but the id. */
  async replace(target: T | Id, record: StandinDraft<T, Filled>): Promise<T> {
    return this.#connection.record("PUT", this.#targetPath(target), { body: record, readBefore: target });
  }

  /** Changes the given fields only. */
  async update(target: T | Id, changes: Partial<T>): Promise<T> {
    return this.#connection.record("PATCH", this.#targetPath(target), { body: changes, readBefore: target });
  }

  /** Stores a `File` or `Blob` in a field: `upload(1, "photo", file)`. Several files become a list. */
  upload(target: T | Id, field: StandinFileField<T>, ...files: readonly Blob[]): Promise<T> {
    const body = formOf(field, files);
    return this.#connection.record("PATCH", this.#targetPath(target), { body, readBefore: target });
  }

  async delete(target: T | Id): Promise<void> {
    await this.#connection.send("DELETE", this.#targetPath(target), { readBefore: target });
  }

  async #find<R>(query: StandinQuery<T>, window: readonly StandinParameter[]): Promise<StandinFound<R>> {
    const parameters = [...parametersOf(query), ...window];
    const { body, headers } = await this.#connection.send("GET", this.#path + searchOf(parameters), {
      signal: query.signal,
    });
    return { records: body as R[], headers };
  }

  #targetPath(target: T | Id): string {
    const id = typeof target === "object" && target !== null ? Reflect.get(target, this.#idKey) : target;
    if (typeof id !== "string" && typeof id !== "number") {
      throw new TypeError(`${this.#path}: this record has no ${this.#idKey}, so it cannot be changed.`);
    }
    return this.#recordPath(id);
  }

  #recordPath(id: string | number, relations: StandinRelations = {}): string {
    return `${this.#path}/${encodeURIComponent(id)}${searchOf(relationsOf(relations))}`;
  }
}

/** A single object. Remembers its version as collections do: give `replace` and `update` the object as it was read. */
export class StandinSingleton<T> {
  readonly #connection: StandinConnection;
  readonly #path: string;

  constructor(connection: StandinConnection, name: string) {
    this.#connection = connection;
    this.#path = `/${encodeURIComponent(name)}`;
  }

  get(signal?: AbortSignal): Promise<T> {
    return this.#connection.record("GET", this.#path, { signal });
  }

  replace(value: T, readBefore?: T): Promise<T> {
    return this.#connection.record("PUT", this.#path, { body: value, readBefore });
  }

  /** Changes the given fields only. */
  update(changes: Partial<T>, readBefore?: T): Promise<T> {
    return this.#connection.record("PATCH", this.#path, { body: changes, readBefore });
  }
}

interface StandinFound<T> {
  readonly records: T[];
  readonly headers: StandinHeaders;
}

interface StandinHeaders {
  get(name: string): string | null;
}

interface StandinRequest {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** A record that must not have changed since it was read. */
  readonly readBefore?: unknown;
}

type StandinParameter = readonly [name: string, value: string | number | undefined];

/** Sends requests, throws error responses, and knows the tags of the records that were read. */
class StandinConnection {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;
  readonly #tags = new WeakMap<object, string>();
  readonly #user: string | undefined;
  #token: Promise<string> | undefined;

  constructor(options: StandinClientOptions) {
    const { url = "http://localhost:3000", sandbox, user, headers = {}, fetch: send = fetch } = options;
    this.#user = user;
    this.#url = url.replace(/\/+$/, "");
    this.#headers = { ...headers, ...(sandbox !== undefined && { "X-Standin-Sandbox": sandbox }) };
    this.#fetch = send;
  }

  /** A request whose response is one record, with its tag. */
  async record<R>(method: string, path: string, request: StandinRequest): Promise<R> {
    const response = await this.send(method, path, request);
    const tag = response.headers.get("ETag");
    // A weak tag, as that of a record with embedded ones, is no condition for a write.
    if (isObject(response.body) && tag?.startsWith('"')) this.#tags.set(response.body, tag);
    return response.body as R;
  }

  async removeSandbox(name: string): Promise<void> {
    await this.send("DELETE", `/__sandboxes/${encodeURIComponent(name)}`);
  }

  async uploadFile(file: Blob): Promise<StandinFile> {
    return (await this.send("POST", "/__files", { body: formOf("file", [file]) })).body as StandinFile;
  }

  async send(
    method: string,
    path: string,
    { body, signal, readBefore }: StandinRequest = {},
  ): Promise<{ body: unknown; headers: StandinHeaders }> {
    const tag = isObject(readBefore) ? this.#tags.get(readBefore) : undefined;
    const isForm = body instanceof FormData;
    // Browsers reject a fetch that is called as a method.
    const fetchIt = this.#fetch;
    const exchange = async () =>
      fetchIt(this.#url + path, {
        method,
        headers: {
          ...this.#headers,
          ...(await this.#authorization()),
          // Fetch itself names the boundary of a form.
          ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
          ...(tag !== undefined && { "If-Match": tag }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    let response = await exchange();
    if (response.status === 401 && this.#token) {
      // The token has expired, or all data was replaced.
      this.#token = undefined;
      response = await exchange();
    }
    const content = parsed(await response.text());
    if (response.ok) return { body: content, headers: response.headers };
    if (response.status !== 412) throw new StandinClientError(response.status, content);
    throw new StandinConflictError(response.status, content, response.headers.get("ETag") ?? undefined);
  }

  async #authorization(): Promise<Record<string, string>> {
    if (this.#user === undefined) return {};
    this.#token ??= this.#signIn(this.#user);
    return { Authorization: `Bearer ${await this.#token}` };
  }

  async #signIn(user: string): Promise<string> {
    const fetchIt = this.#fetch;
    const response = await fetchIt(`${this.#url}/__oidc/tokens`, {
      method: "POST",
      headers: { ...this.#headers, "Content-Type": "application/json" },
      body: JSON.stringify({ user }),
    });
    const content = parsed(await response.text());
    if (response.ok) return (content as { access_token: string }).access_token;
    this.#token = undefined;
    throw new StandinClientError(response.status, content);
  }
}

function formOf(field: string, files: readonly Blob[]): FormData {
  const form = new FormData();
  for (const file of files) form.append(field, file);
  return form;
}

function parametersOf<T>(query: StandinQuery<T>): StandinParameter[] {
  const { where, search, sort } = query;
  return [
    ["_where", where && Object.keys(where).length > 0 ? JSON.stringify(where) : undefined],
    ["q", search],
    ["_sort", sort === undefined ? undefined : [sort].flat().join(",")],
    ...relationsOf(query),
  ];
}

function relationsOf({ embed = [], expand = [] }: StandinRelations): StandinParameter[] {
  return [
    ...[embed].flat().map((name) => ["_embed", name] as const),
    ...[expand].flat().map((name) => ["_expand", name] as const),
  ];
}

function searchOf(parameters: readonly StandinParameter[]): string {
  const pairs = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** The cursor in the Link header; undefined on the last page. */
function nextCursor(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link ?? "") ?? [];
  const [, cursor] = /[?&]_after=([^&]*)/.exec(address ?? "") ?? [];
  return cursor === undefined ? undefined : decodeURIComponent(cursor);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Error pages of proxies are no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
