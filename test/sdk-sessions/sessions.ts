import { loadApiDocument } from "../../src/openapi/read/load-api-document.ts";
import { type ClientSession, clientSessions } from "./clients.ts";
import { generateClient } from "./generated-client.ts";
import { octokit } from "./octokit.ts";
import { openai } from "./openai.ts";
import { runSession, type SdkSession, type StepResult } from "./session.ts";
import { stripe } from "./stripe.ts";
import { twilio } from "./twilio.ts";
import { octokitCode } from "./vendors/octokit-code.ts";
import { octokitIdentity } from "./vendors/octokit-identity.ts";
import { octokitIssues } from "./vendors/octokit-issues.ts";
import { octokitReleases } from "./vendors/octokit-releases.ts";
import { octokitReviews } from "./vendors/octokit-reviews.ts";
import { octokitTeams } from "./vendors/octokit-teams.ts";
import { openaiBatches } from "./vendors/openai-batches.ts";
import { openaiProjects } from "./vendors/openai-projects.ts";
import { openaiStores } from "./vendors/openai-stores.ts";
import { openaiStreams } from "./vendors/openai-streams.ts";
import { openaiThreads } from "./vendors/openai-threads.ts";
import { stripeBilling } from "./vendors/stripe-billing.ts";
import { stripeCheckout } from "./vendors/stripe-checkout.ts";
import { stripeInvoices } from "./vendors/stripe-invoices.ts";
import { stripeOffers } from "./vendors/stripe-offers.ts";
import { stripePayments } from "./vendors/stripe-payments.ts";
import { stripePlatform } from "./vendors/stripe-platform.ts";
import { twilioNumbers } from "./vendors/twilio-numbers.ts";
import { twilioVoice } from "./vendors/twilio-voice.ts";

export type AnySession = SdkSession | ClientSession;

export const sessions: readonly AnySession[] = [stripe, octokit, openai, twilio, ...clientSessions];

/** Sessions that need more of a document than its reduction has. */
export const vendorSessions: readonly AnySession[] = [
  stripeBilling,
  stripeCheckout,
  octokitReleases,
  octokitIssues,
  octokitIdentity,
  openaiBatches,
  openaiThreads,
  stripePayments,
  stripeInvoices,
  octokitReviews,
  octokitCode,
  openaiStreams,
  openaiStores,
  twilioVoice,
  stripeOffers,
  stripePlatform,
  octokitTeams,
  openaiProjects,
  twilioNumbers,
];

interface Place {
  readonly file: string;
  readonly url: string;
  /** Folder in which the generators of clients are installed. Without it, openapi-fetch makes the calls. */
  readonly generators?: string | undefined;
}

export async function startSession(
  session: AnySession,
  place: Place,
): Promise<{ tool: string; results: StepResult[] }> {
  if (!isOfClient(session)) return { tool: session.sdk, results: await runSession(session, place.url) };
  const sdk = place.generators === undefined ? "openapi-fetch" : session.sdk;
  const call = await generateClient(sdk, place.file, place.url, place.generators ?? "");
  const results = await runSession({ ...session, run: (_, step) => session.run(call, step) }, place.url);
  return { tool: sdk, results };
}

/** The path that generated clients put before those of the document. SDKs know it themselves. */
export async function serverPath(session: AnySession, file: string): Promise<string> {
  if (!isOfClient(session)) return "";
  const [path = ""] = (await loadApiDocument(file)).basePaths;
  return path;
}

function isOfClient(session: AnySession): session is ClientSession {
  return clientSessions.some((one) => one === session);
}
