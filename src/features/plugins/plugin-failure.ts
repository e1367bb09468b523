import { ERRORS, messageOf, StandinError } from "../../base/errors.ts";
import { pathToFileURL } from "../../base/platform/files.ts";
import type { Reporter } from "../../base/reporter.ts";
import { errorReply, type Reply } from "../../http/response/reply.ts";
import type { LoadedPlugin } from "./load-plugin.ts";

/** The response to an error that a plugin threw. One with a `status` from 400 to 499 is passed on to the client. */
export function pluginFailureReply(loaded: LoadedPlugin, thrown: unknown, reporter: Reporter): Reply {
  if (thrown instanceof StandinError) return errorReply(thrown, reporter);
  const code = "PLUGIN_FAILED";
  const status = (thrown as { status?: unknown } | null)?.status;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return { status, json: JSON.stringify({ error: ERRORS[code].title, message: messageOf(thrown), code }) };
  }
  const place = placeOf(loaded, thrown);
  reporter.fault(`The plugin ${place} failed.`, thrown);
  return errorReply(new StandinError(code, `The plugin ${place} failed: ${messageOf(thrown)}`), reporter);
}

/** The plugin as the user knows it, with the line that failed where it can be told: `./dashboard.ts:12`. */
export function placeOf({ source, file }: LoadedPlugin, thrown: unknown): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
  for (const name of file === undefined ? [] : [pathToFileURL(file).href, file]) {
    const at = stack.indexOf(name);
    const [, line] = at === -1 ? [] : (/^(?:\?[^:]*)?:(\d+)/.exec(stack.slice(at + name.length)) ?? []);
    if (line !== undefined) return `${source}:${line}`;
  }
  return source;
}
