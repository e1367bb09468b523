/** Node can send webhooks. */
export function expectSender(): void {}
