import { StandinError } from "../../base/errors.ts";
import type { RequestHeaders } from "../../http/call.ts";

/** The feature where it cannot store files: it says why to forms that send some. */
export function refuseForms(why: string) {
  return {
    name: "no files",
    readBody({ headers }: { readonly headers: RequestHeaders }): undefined {
      if (!/^multipart\/form-data\b/i.test(headers["content-type"] ?? "")) return undefined;
      throw new StandinError("BODY_TYPE_UNSUPPORTED", why);
    },
  };
}
