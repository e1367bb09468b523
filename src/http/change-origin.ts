import type { Call } from "./call.ts";

/** Names the session of an agent whose tools send the request. */
export const AGENT_HEADER = "x-standin-agent";

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i;
/** A name is shown in lists and terminals, so it is short and of one line. */
const MAX_NAME = 100;

/**
 * The origin of a request's changes, for the history: the console, an agent, the name of the key or user that a guard
 * admitted, or else the client's address. Never a key itself.
 */
export function changeOrigin(call: Call): string {
  const agent = call.headers[AGENT_HEADER];
  if (agent !== undefined) return `agent:${nameIn(String(agent))}`;
  if (call.isOfConsole) return "console";
  const name = nameIn(call.credentialName ?? userName(call.user) ?? "");
  return name === "" ? addressOf(call) : name;
}

function addressOf({ address }: Call): string {
  return address === "unknown" ? "program" : nameIn(address.replace(IPV4_IN_IPV6, ""));
}

function userName(user: unknown): string | undefined {
  if (typeof user !== "object" || user === null) return undefined;
  const { name, email, id } = user as { readonly name?: unknown; readonly email?: unknown; readonly id?: unknown };
  const found = [name, email].find((one) => typeof one === "string" && one !== "");
  return found === undefined ? (id === undefined ? undefined : `user ${String(id)}`) : String(found);
}

function nameIn(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME);
}
