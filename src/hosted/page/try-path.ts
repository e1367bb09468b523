import type { PathTemplate } from "../../openapi/read/path-template.ts";
import type { Endpoint } from "../endpoint.ts";

/** Stands for any value of a wildcard. */
const SOME = "1";

type Tried = { readonly method: string; readonly path: PathTemplate } & Partial<Pick<Endpoint, "usual">>;

/**
 * An address that the usual example of an endpoint is sent for. Of a collection, the path with the values that were saved is
 * there as an endpoint of its own.
 */
export function tryPath({ method, path, usual }: Tried, others: readonly Endpoint[] = []): string {
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
