import { StandinError } from "../base/errors.ts";
import type { LayerDefinition } from "./layer.ts";

/** The issuer keeps keys in files and sessions in cookies, which a page or a worker does not have. */
export const signInLayer: LayerDefinition = {
  name: "sign-in",
  create() {
    throw new StandinError(
      "OPTION_UNAVAILABLE",
      'The layer "sign-in" needs a server of its own. Use "bearer" or "api-key" here.',
    );
  },
};
