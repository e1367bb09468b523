import * as errors from "../../base/errors.ts";
import * as linearPatterns from "../../base/platform/linear-patterns.ts";
import type { OpenFeature } from "../../http/contract.ts";
import * as recordRules from "../../store/record-rules.ts";

type Opening = typeof import("./open-rules.ts");

const RULES = Symbol.for("standin.rules");
/** The compiler of rules would be a fifth of the worker, so it is a file of its own: `standin/worker/rules`. */
const place = globalThis as { readonly [RULES]?: (lend: (name: string) => object) => Opening };

/** Modules of which both files must have the same copy. */
const LENT: Readonly<Record<string, object>> = {
  errors,
  "linear-patterns": linearPatterns,
  "record-rules": recordRules,
};

let opening: Opening | undefined;

function load(): Opening {
  opening ??= place[RULES]?.((name) => LENT[name] ?? {});
  if (opening) return opening;
  throw new errors.StandinError(
    "OPTION_UNAVAILABLE",
    'The option "rules" needs the compiler of rules: import "standin/worker/rules".',
  );
}

export const readRecordRules: Opening["readRecordRules"] = (given, named) => load().readRecordRules(given, named);

/** Without an offer: the description of rules is not in the worker, so it must not find any. */
export async function openRules(context: Parameters<Opening["openRules"]>[0]): Promise<OpenFeature> {
  const { offer: _, ...opened } = await load().openRules(context);
  return opened;
}
