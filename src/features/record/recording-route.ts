import { StandinError } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { RouteRow } from "../../http/contract.ts";
import { jsonReply } from "../../http/response/reply.ts";
import type { GivenRecording } from "./given-recording.ts";

/** `/__record`: shows what was seen so far; a POST saves it, and ends the recording unless told to go on. */
export function recordingRoute({ recorder, save, stop }: GivenRecording): RouteRow {
  return {
    path: "/__record",
    isForAdmins: true,
    harmless: ["POST"],
    GET: () => jsonReply(JSON.stringify(recorder.summary())),
    POST: async (call) => {
      const isLast = await wantsStop(call);
      if (isLast) recorder.stop();
      const saved = await save();
      if (isLast) stop();
      return jsonReply(JSON.stringify({ ...recorder.summary(), ...saved }));
    },
  };
}

/** `{ "stop": false }` goes on recording. */
async function wantsStop(call: Call): Promise<boolean> {
  const body = (await call.body()) ?? {};
  const { stop = true } = isJsonObject(body) ? body : { stop: null };
  if (typeof stop === "boolean") return stop;
  throw new StandinError(
    "BODY_MALFORMED",
    'The body may be left out, or be {"stop": false} to save and go on recording.',
  );
}
