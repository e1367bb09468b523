import { StandinError } from "../base/errors.ts";
import type { LayerDefinition } from "./layer.ts";

/** Signatures and hashes of passwords would make a worker a tenth larger. */
export const signedTokenLayer: LayerDefinition = {
  name: "signed-token",
  create() {
    throw new StandinError(
      "OPTION_UNAVAILABLE",
      'The layer "signed-token" is not available in a worker. Use "bearer" or "api-key".',
    );
  },
};
