import type { OpenFeature, Service } from "../../http/contract.ts";
import { Signatures } from "./signatures.ts";
import { signedEntrance, urlStep } from "./signed-urls.ts";
import { signingSecret } from "./signing-secret.ts";
import type { Uploads } from "./uploads.ts";

/** The parts of the feature that complete addresses in responses, where a guard or a base calls for it. */
export function signedFiles(
  uploads: Uploads,
  { settings: { base } }: Service,
  secretPlace: string | undefined,
): Partial<OpenFeature> {
  const signatures = uploads.isGuarded ? new Signatures(() => signingSecret(secretPlace), Date.now) : undefined;
  return {
    ...(signatures && { entrance: signedEntrance(signatures) }),
    ...((signatures || base !== "") && { step: urlStep({ base, signatures, hasFiles: () => uploads.hasFiles }) }),
  };
}
