import { createHmac } from "node:crypto";
import type { Signing } from "./types.ts";

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  /** Real time, which receivers compare with their own. */
  readonly sentAt: number;
}

type Headers = Readonly<Record<string, string>>;

/** The headers by which a receiver knows that a message is from us. */
export function signatureHeaders({ as, secret }: Signing, message: Message): Headers {
  return SIGN[as](message, secret);
}

const SIGN: Readonly<Record<Signing["as"], (message: Message, secret: string) => Headers>> = {
  standard({ id, body, sentAt }, secret) {
    const seconds = Math.floor(sentAt / 1000);
    const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
    const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
    return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
  },
  github({ id, event, body }, secret) {
    return {
      "X-GitHub-Delivery": id,
      "X-GitHub-Event": event,
      "X-Hub-Signature-256": `sha256=${hexHmac(secret, body)}`,
    };
  },
  stripe({ body, sentAt }, secret) {
    const seconds = Math.floor(sentAt / 1000);
    return { "Stripe-Signature": `t=${seconds},v1=${hexHmac(secret, `${seconds}.${body}`)}` };
  },
  hmac({ body }, secret) {
    return { "X-Signature": `sha256=${hexHmac(secret, body)}` };
  },
};

function hexHmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}
