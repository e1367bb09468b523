import { decodeSegment } from "../openapi/read/path-template.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ExampleResponse } from "./example.ts";
import type { Hosted } from "./hosted.ts";
import { isKnownKey, type Keys } from "./private.ts";

/** One file of examples that is served. */
export interface Mock {
  /** The name that its paths begin with, such as `shop` for `/shop`; empty for the only mock of a server. */
  readonly name: string;
  /** The file and its kind, in words. */
  readonly source: string;
  readonly hosted: Hosted;
  /** The keys that requests need; undefined for a public mock. */
  readonly keys: Keys | undefined;
  /** Whether a file beside it holds its keys. */
  readonly hasKeyFile?: boolean;
  /** Why the file cannot be served; undefined for a mock in use. */
  readonly problem?: string | undefined;
  readonly notes: readonly string[];
  /** The paths of further files that it was read from. */
  readonly otherFiles?: readonly string[] | undefined;
}

export interface FoundMock {
  readonly mock: Mock;
  /** Below the prefix of the mock. */
  readonly path: string;
}

/** The mocks of a server, found by the first segment of a path. */
export class Mocks {
  /** The mock that stands alone, at the root; undefined for those of a folder. */
  only: Mock | undefined;
  #byName: ReadonlyMap<string, Mock> = new Map();
  #list: readonly Mock[] = [];
  /** Files of the folder that are no mocks, and why. */
  skipped: readonly string[] = [];

  constructor(mocks: readonly Mock[]) {
    this.list = mocks;
  }

  get list(): readonly Mock[] {
    return this.#list;
  }

  /** Exchanged as a whole when the files of a folder change. */
  set list(mocks: readonly Mock[]) {
    this.#list = mocks;
    this.#byName = new Map(mocks.map((mock) => [mock.name, mock]));
    this.only = this.#byName.get("");
  }

  find(path: string): FoundMock | undefined {
    if (this.only) return { mock: this.only, path };
    const end = path.indexOf("/", 1);
    const mock = this.#byName.get(decodeSegment(end === -1 ? path.slice(1) : path.slice(1, end)));
    return mock && { mock, path: end === -1 ? "/" : path.slice(end) };
  }

  /** Whether a request with this key may see what went on at a path. */
  isOpen(path: string, key: string | undefined): boolean {
    const mock = this.find(path)?.mock;
    return mock === undefined || isOpenTo(mock, key);
  }
}

/** Whether a mock is public, or the key is one of its own. */
export function isOpenTo({ keys }: Mock, key: string | undefined): boolean {
  return !keys || (key !== undefined && isKnownKey(keys, key));
}

/** Without endpoints that only repeat the examples of another: paths with wildcards stay, else the first ones. */
export function shownEndpoints(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const seen = new Set<ExampleResponse>();
  const shown = new Set<Endpoint>();
  const wildFirst = [...endpoints].sort((a, b) => Number(b.path.names.length > 0) - Number(a.path.names.length > 0));
  for (const endpoint of wildFirst) {
    const responses = endpoint.examples.map(({ response }) => response);
    if (responses.every((response) => seen.has(response))) continue;
    shown.add(endpoint);
    for (const response of responses) seen.add(response);
  }
  return endpoints.filter((endpoint) => shown.has(endpoint));
}
