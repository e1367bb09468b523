import * as errors from "../../base/errors.ts";
import { isJsonObject, parseExact, stringifyJson, toJson } from "../../base/json/json.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { hasReadableType } from "../../http/body/body-type.ts";
import { isOwnPath } from "../../http/call.ts";
import type { OpenFeature } from "../../http/contract.ts";
import { createViewer } from "../../http/pipeline.ts";
import { expectMatch, isFresh } from "../../http/response/headers.ts";
import { handlerFor, memberName, segmentsOf } from "../../http/router.ts";
import { asApplied, carryOut, writePreferences } from "../../http/routes/carry-out.ts";
import { slice } from "../../store/slice.ts";
import { rulesFeature } from "../rules/feature.ts";
import { refuseForms } from "./refuse-forms.ts";

type Opening = typeof import("./open-uploads.ts");

const FILES = Symbol.for("standin.files");
/** Most pages upload nothing, so the code for files is a file of its own: `standin/worker/files`. */
const place = globalThis as { readonly [FILES]?: (lend: (name: string) => object) => Opening };

/** The functions of modules that both files use. */
const LENT: Readonly<Record<string, object>> = {
  errors,
  json: { isJsonObject, parseExact, stringifyJson, toJson },
  crypto: { createHash },
  "body-type": { hasReadableType },
  call: { isOwnPath },
  pipeline: { createViewer },
  headers: { expectMatch, isFresh },
  router: { handlerFor, memberName, segmentsOf },
  "carry-out": { asApplied, carryOut, writePreferences },
  slice: { slice },
  "rules/feature": { rulesFeature },
};

export async function openUploads(context: Parameters<Opening["openUploads"]>[0]): Promise<OpenFeature> {
  const opening = place[FILES]?.((name) => LENT[name] ?? {});
  return opening?.openUploads(context) ?? refuseForms('This needs the code for files: import "standin/worker/files".');
}
