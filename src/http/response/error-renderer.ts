import { StandinError } from "../../base/errors.ts";
import type { Call } from "../call.ts";
import { firstOf } from "../compose-hooks.ts";
import type { Service } from "../contract.ts";
import { errorReply, type Reply } from "./reply.ts";

/** Renders errors in the form of the feature that has one, else in the usual one. Never throws. */
export function createErrorRenderer({
  features,
  reporter,
}: Pick<Service, "features" | "reporter">): (call: Call, thrown: unknown) => Reply {
  const render = firstOf(features.flatMap(({ renderError }) => renderError ?? []));
  return (call, thrown) => {
    if (!(thrown instanceof StandinError)) return errorReply(thrown, reporter);
    call.refusal = thrown.message;
    if (!render) return errorReply(thrown, reporter);
    try {
      return render(call, thrown) ?? errorReply(thrown, reporter);
    } catch (fault) {
      reporter.fault("An error was sent in the usual form, because of a fault in rendering it.", fault);
      return errorReply(thrown, reporter);
    }
  };
}
