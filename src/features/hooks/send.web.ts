import { OUT_OF_REACH } from "./expect-sender.web.ts";

/** For code that both halves have; `expectSender` lets no hook come so far. */
export class WebhookSender {
  send(): Promise<never> {
    return Promise.reject(new Error(OUT_OF_REACH));
  }

  refusal(): undefined {}

  close(): void {}
}
