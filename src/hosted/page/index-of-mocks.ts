import type { PathTemplate } from "../../openapi/read/path-template.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Example } from "../example.ts";
import { type Mock, shownEndpoints } from "../mocks.ts";

/** Stands for any value of a wildcard. */
const SOME = "1";

type Tried = { readonly method: string; readonly path: PathTemplate } & Partial<Pick<Endpoint, "usual">>;

/** The index of a server: its mocks, their operations and examples. */
export interface MockIndex {
  readonly name: "standin";
  readonly mocks: readonly MockEntry[];
  readonly skipped?: readonly string[];
  /** The address of the traffic log; absent where it is off. */
  readonly requests?: string;
}

export interface MockEntry {
  readonly name: string;
  readonly url: string;
  readonly source: string;
  readonly access: "public" | "private";
  readonly problem?: string;
  readonly notes: readonly string[];
  /** Left out of a private mock without its key. */
  readonly operations?: readonly OperationEntry[];
}

export interface OperationEntry {
  readonly method: string;
  /** With its wildcards, below the prefix of the mock. */
  readonly path: string;
  /** An address to try. */
  readonly url: string;
  readonly examples: readonly ExampleEntry[];
}

export interface ExampleEntry {
  readonly name: string;
  readonly id?: string;
  readonly status: number;
  readonly type?: string;
}

interface IndexView {
  /** Scheme and host. */
  readonly baseUrl: string;
  isOpen(mock: Mock): boolean;
}

export function indexMocks(mocks: readonly Mock[], { baseUrl, isOpen }: IndexView): readonly MockEntry[] {
  return mocks.map((mock) => {
    const url = `${baseUrl}${prefixOf(mock)}`;
    const isShown = isOpen(mock);
    const problem = isShown ? mock.problem : undefined;
    return {
      name: mock.name,
      url: `${url}/`,
      source: mock.source,
      access: mock.keys ? "private" : "public",
      ...(problem !== undefined && { problem }),
      notes: isShown ? mock.notes : [],
      ...(isShown && problem === undefined && { operations: operationsOf(mock, url) }),
    };
  });
}

/** The start of its paths: `/shop`, or nothing for the only mock. */
export function prefixOf({ name }: Pick<Mock, "name">): string {
  return name === "" ? "" : `/${encodeURIComponent(name)}`;
}

/** Whether a mock has an example for its root, which is sent in place of the index. */
export function hasOwnRoot({ hosted: { routes } }: Mock): boolean {
  return ["GET", "HEAD"].some((method) => !routes.find(method, "/").next().done);
}

function operationsOf({ hosted: { routes, unanswered } }: Mock, url: string): OperationEntry[] {
  const operations = shownEndpoints(routes.endpoints).map(
    (endpoint): OperationEntry => ({
      method: endpoint.method,
      path: endpoint.path.text,
      url: `${url}${tryPath(endpoint, routes.endpoints)}`,
      examples: distinctExamples(endpoint.examples),
    }),
  );
  const without = unanswered.map(
    ({ method, path }): OperationEntry => ({
      method,
      path: path.text,
      url: `${url}${tryPath({ method, path })}`,
      examples: [],
    }),
  );
  return [...operations, ...without];
}

/** A document may have the same example for a code and for the range around it. */
function distinctExamples(examples: readonly Example[]): ExampleEntry[] {
  const entries = new Map<string, ExampleEntry>();
  for (const { name, id, response } of examples) {
    const { status, type } = response;
    const entry = { name, ...(id !== undefined && { id }), status, ...(type !== undefined && { type }) };
    const key = JSON.stringify(entry);
    if (!entries.has(key)) entries.set(key, entry);
  }
  return [...entries.values()];
}

/**
 * An address that the usual example of an endpoint is sent for. Of a collection, the path with the values that were saved is
 * there as an endpoint of its own.
 */
function tryPath({ method, path, usual }: Tried, others: readonly Endpoint[] = []): string {
  const saved =
    path.names.length > 0
      ? others.find(
          (other) =>
            other.method === method && other.path.names.length === 0 && other.usual.response === usual?.response,
        )
      : undefined;
  return (saved ? filled(saved.path) : filled(path)) + searchOf(usual);
}

function filled({ segments }: PathTemplate): string {
  const texts = segments.map((segment) => {
    if (segment.kind === "wildcard") return SOME;
    const text = segment.kind === "literal" ? segment.text : segment.texts.join(SOME);
    return encodeURIComponent(text).replaceAll("%252F", "%2F");
  });
  return `/${texts.join("/")}`;
}

function searchOf(usual: Endpoint["usual"] | undefined): string {
  const terms = (usual?.request.query ?? []).filter(({ wildcard }) => wildcard === undefined);
  if (terms.length === 0) return "";
  return `?${new URLSearchParams(terms.map(({ name, value }): [string, string] => [name, value]))}`;
}
