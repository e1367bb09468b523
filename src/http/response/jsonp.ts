import { type Call, isOwnPath } from "../call.ts";
import type { ServiceSettings } from "../settings.ts";

export const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** A call of a function with JSON as its argument, in the form Express gives it. */
export interface Script {
  readonly before: string;
  readonly after: string;
}

/** The script in which a request with a callback gets its JSON; undefined where it gets none. */
export function scriptFor({ callback, target }: Call, { jsonp }: ServiceSettings): Script | undefined {
  if (!callback || !jsonp || isOwnPath(target.path)) return undefined;
  const name = callback.replace(/[^[\]\w$.]/g, "");
  // The comment in front defuses content sniffers.
  return { before: `/**/ typeof ${name} === 'function' && ${name}(`, after: ");" };
}

export function scriptText({ before, after }: Script, json: string): string {
  return before + withEscapes(json) + after;
}

/** Ends of lines in JavaScript, but not in JSON. */
function withEscapes(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
