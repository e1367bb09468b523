import { inBackground } from "../../base/background-timer.ts";
import * as errors from "../../base/errors.ts";
import { isJsonObject, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { maskBody } from "../../base/secrets/mask-body.ts";
import { maskAddress } from "../../base/secrets/mask-text.ts";
import { Waiting } from "../../base/waiting-readers.ts";
import { jsonReply } from "../../http/response/reply.ts";
import { asObject } from "../../http/routes/carry-out.ts";
import { listContent, objectOf, reference, TEXT } from "../../openapi/write/parts.ts";
import { describeRoutes } from "../../openapi/write/server-operations.ts";
import { meets } from "../../query/filter.ts";
import { EVERYTHING, parseParameters, parseQuery } from "../../query/parse-query.ts";
import { idOf } from "../../store/ids.ts";
import { editedRecord } from "../../store/stored-record.ts";
import { liveFeature } from "../live/feature.ts";
import { documentFeature } from "../openapi-source/feature.ts";
import { rulesFeature } from "../rules/feature.ts";
import { sandboxesFeature } from "../sandboxes/feature.ts";

type Opening = typeof import("./open-hooks.ts");

export const NEEDS_TIME = 'This needs the code for the clock and the timeline: import "standin/worker/time".';

const TIME = Symbol.for("standin.time");
/** Most pages have no timeline, so the code for it is a file of its own: `standin/worker/time`. */
const place = globalThis as { readonly [TIME]?: (lend: (name: string) => object) => Opening };

/** The functions of modules that both files use. */
const LENT: Readonly<Record<string, object>> = {
  "background-timer": { inBackground },
  errors,
  json: { isJsonObject, stringifyJson },
  nearest: { didYouMean },
  crypto: { createHash },
  "mask-body": { maskBody },
  "mask-text": { maskAddress },
  "waiting-readers": { Waiting },
  "live/feature": { liveFeature },
  "openapi-source/feature": { documentFeature },
  "rules/feature": { rulesFeature },
  "sandboxes/feature": { sandboxesFeature },
  reply: { jsonReply },
  "carry-out": { asObject },
  parts: { listContent, objectOf, reference, TEXT },
  "server-operations": { describeRoutes },
  filter: { meets },
  "parse-query": { EVERYTHING, parseParameters, parseQuery },
  ids: { idOf },
  "stored-record": { editedRecord },
};

let opening: Opening | undefined;

export function hasTime(): boolean {
  return place[TIME] !== undefined;
}

function load(): Opening {
  opening ??= place[TIME]?.((name) => LENT[name] ?? {});
  if (opening) return opening;
  throw new errors.StandinError("OPTION_UNAVAILABLE", NEEDS_TIME);
}

export const readGiven: Opening["readGiven"] = (...given) => load().readGiven(...given);

export const openHooks: Opening["openHooks"] = async (context) => load().openHooks(context);
