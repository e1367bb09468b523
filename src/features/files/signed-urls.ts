import type { Call } from "../../http/call.ts";
import type { Entrance, FeatureStep } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { Signatures } from "./signatures.ts";

const PATH = "/__files/";
/** In compact JSON. Inside of a text its quotes would have backslashes. */
const URL_IN_JSON = /"url":"(\/__files\/([\da-f]{64})\/[^"\\?]*)"/g;
const SIGNATURE = /(?:^|&)s=([^&]*)/;

/** Lets a request with a signed address pass the guards, on behalf of the user that got the address. */
export function signedEntrance(signatures: Signatures): Entrance {
  return {
    prefix: PATH,
    headers: [],
    enter(call) {
      const { path, search } = call.client;
      const [, token] = call.isRead ? (SIGNATURE.exec(search) ?? []) : [];
      const reader = token === undefined ? undefined : signatures.readerOf(token, path.split("/", 3)[2] ?? "");
      if (reader) Object.assign(call, reader, { isAdmitted: true });
    },
  };
}

interface UrlOptions {
  /** The path that the service is mounted at. */
  readonly base: string;
  /** Undefined where nobody needs a signature. */
  readonly signatures: Signatures | undefined;
  readonly hasFiles: () => boolean;
}

/** Completes the addresses of files in responses: the base in front, a signature for the user behind them. */
export function urlStep({ base, signatures, hasFiles }: UrlOptions): FeatureStep {
  return {
    get isActive() {
      return hasFiles();
    },
    async respond(call, service, next) {
      const reply = await next(call, service);
      if (reply?.status !== 304) return reply && completed(reply, call);
      // The client has the same record, but its addresses may be too old.
      const { "if-none-match": tags, ...others } = call.headers;
      if (tags === undefined || call.target.path.startsWith(PATH)) return reply;
      delete call.headers["if-none-match"];
      const whole = await next(call, service);
      Object.assign(call.headers, { "if-none-match": tags }, others);
      const shown = whole && completed(whole, call);
      return shown === whole ? reply : shown;
    },
  };

  function completed(reply: Reply, call: Call): Reply {
    const { json } = reply;
    if (!json?.includes(PATH) || call.isWriteOnly) return reply;
    const sign = signatures?.signerFor(call);
    const changed = json.replace(URL_IN_JSON, (_, url: string, sha256: string) => {
      return `"url":"${base}${url}${sign ? `?s=${sign(sha256)}` : ""}"`;
    });
    return changed === json ? reply : { ...reply, json: changed, isAscii: undefined, isFixed: undefined };
  }
}
