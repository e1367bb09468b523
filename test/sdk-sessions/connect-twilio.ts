import twilioSdk from "twilio";
import { failureOf, holds, made } from "./session.ts";

const { RequestClient, Twilio, RestException } = twilioSdk;

export type TwilioClient = InstanceType<typeof Twilio>;

/** The SDK knows one host; this sends its requests elsewhere. */
class Redirected extends RequestClient {
  readonly #url: string;

  constructor(url: string) {
    super();
    this.#url = url;
  }

  override request<Data>(options: { uri: string } & Parameters<typeof RequestClient.prototype.request<Data>>[0]) {
    return super.request<Data>({ ...options, uri: options.uri.replace("https://api.twilio.com", this.#url) });
  }
}

/** Signed in with the first account. */
export async function connectTwilio(url: string): Promise<TwilioClient> {
  const httpClient = new Redirected(url);
  const anyone = new Twilio(`AC${"0".repeat(32)}`, "token", { httpClient });
  const [account] = await anyone.api.v2010.accounts.list({ limit: 1 });
  return new Twilio(made(account).sid, "token", { httpClient });
}

export async function isGone(work: () => Promise<unknown>): Promise<void> {
  const thrown = await failureOf(work);
  holds(thrown instanceof RestException && thrown.status === 404, String(thrown));
}
