import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import { LocalCall, type LocalRequest, sharedHeaders } from "../../http/local-call.ts";

/** Makes a request of a batch look like one that came by itself, with the credentials of the batch. */
export type CreatePart = (head: Pick<LocalRequest, "method" | "headers">, path: string) => Call;

export function createParts(outer: Call, { rewriter, settings }: Service): CreatePart {
  const shared = sharedHeaders(outer);
  const { account } = outer;
  return ({ method, headers }, path) => {
    const options = { headers: headers ? { ...shared, ...headers } : shared, settings, account };
    const call = LocalCall.within(outer, { method, path, headers }, options);
    call.countGuess = outer.countGuess;
    call.isWriteOnly = outer.isWriteOnly;
    call.sandbox = outer.sandbox;
    call.prefix = outer.prefix;
    call.target = rewriter.rewrite(call.client);
    return call;
  };
}
