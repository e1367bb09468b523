import { parsedUrl } from "../../base/addresses.ts";

/**
 * Whether an address is one of those listed. Both are parsed, so that no spelling leads elsewhere: scheme, host and port
 * are equal, there is no user info or fragment, and `*` at the end stands for the rest of the path.
 */
export function isListedAddress(given: string, listed: readonly string[]): boolean {
  const url = parsedUrl(given);
  if (!url || given.includes("#") || url.username !== "" || url.password !== "") return false;
  return listed.some((pattern) => matches(url, pattern));
}

function matches(url: URL, pattern: string): boolean {
  const wanted = parsedUrl(pattern);
  if (!wanted || url.protocol !== wanted.protocol || url.host !== wanted.host) return false;
  if (!wanted.pathname.endsWith("/*")) {
    // The path of a scheme such as app: may be the whole address.
    return url.pathname === wanted.pathname && url.search === wanted.search;
  }
  const start = wanted.pathname.slice(0, -1);
  // Servers may decode what parsers leave: a way up may be hidden in it.
  return url.pathname.startsWith(start) && !/%2f|%5c/i.test(url.pathname);
}
