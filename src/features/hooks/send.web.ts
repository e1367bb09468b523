/** For code that both halves have: no hook comes so far where there are no sockets. */
export class WebhookSender {
  send(): Promise<never> {
    return Promise.reject(new Error("Only a server of Node sends webhooks."));
  }

  refusal(): undefined {}

  close(): void {}
}
