import { ERRORS, messageOf, StandinError } from "../../base/errors.ts";
import type { Reporter } from "../../base/reporter.ts";
import { errorReply, type Reply } from "../response/reply.ts";

const CODE = "INTERCEPTOR_FAILED";

/** Turns an error of an interceptor into a response. One with a status of 4xx, as http-errors have, is the client's. */
export function interceptorFailureReply(thrown: unknown, file: string | undefined, reporter: Reporter): Reply {
  if (thrown instanceof StandinError) return errorReply(thrown, reporter);
  const status = (thrown as { status?: unknown } | null)?.status;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return { status, json: JSON.stringify(new StandinError(CODE, messageOf(thrown))) };
  }
  reporter.fault(`${describeInterceptor(file)} failed.`, thrown);
  const message = `${describeInterceptor(file)} failed; the terminal says where.`;
  return { status: ERRORS[CODE].status, json: JSON.stringify(new StandinError(CODE, message)) };
}

/** Names an interceptor in a message by its file, if that is known. */
export function describeInterceptor(file: string | undefined): string {
  return file === undefined ? "An interceptor" : `The interceptor ${file}`;
}
