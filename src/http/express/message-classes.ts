import { IncomingMessage, ServerResponse } from "node:http";

/** The classes of a server's requests and responses. */
export interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes for a server with interceptors. Express gives other prototypes to every request it handles, and an object whose
 * prototype is changed stays slow; these are lent to it once, so that there is nothing left to change.
 */
export function createMessages(): Messages {
  return {
    IncomingMessage: class LaneRequest extends IncomingMessage {},
    ServerResponse: class LaneResponse<R extends IncomingMessage> extends ServerResponse<R> {},
  };
}
