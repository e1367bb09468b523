import type { Json } from "../../base/json/json.ts";

/** Words by which documents name what went wrong, by status; the most telling first. */
const WORDS: Readonly<Record<number, readonly string[]>> = {
  401: ["unauthenticated", "unauthorized", "authentication", "auth"],
  403: ["forbidden", "permission", "denied", "access"],
  404: ["notfound", "missing", "unknown"],
  409: ["conflict", "exists", "duplicate"],
  413: ["large"],
  415: ["unsupported", "media"],
  429: ["ratelimit", "rate", "limit", "toomany"],
};
/** Of any error that is the client's own. */
const OF_CLIENT = ["invalidrequest", "validation", "badrequest", "invalidfield", "invalid", "client", "bad", "request"];
const OF_SERVER = ["internal", "server", "api", "unavailable"];

/** The value among those that a document names for an error of this status; none where no name is like it. */
export function namedLike(named: readonly Json[], status: number): Json[] {
  const words = [...(WORDS[status] ?? []), ...(status < 500 ? OF_CLIENT : OF_SERVER)];
  for (const word of words) {
    const found = named.find((one) => typeof one === "string" && plain(one).includes(word));
    if (found !== undefined) return [found];
  }
  return named.includes(status) ? [status] : [];
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, "");
}
