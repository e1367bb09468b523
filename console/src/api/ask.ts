import { MOUNT, pathHere, sandboxHeaders } from "./base.ts";
import { credentialHeaders, credentialsVersion } from "./credentials.ts";
import { askForCredentials } from "./guard.ts";
import type { Json } from "./json.ts";
import { pathAtMoment } from "./moment.ts";
import { refusalOf, unreachable } from "./refusal.ts";

/** Marks requests of the console itself: no fault meets them, and the traffic view can hide them. */
const CONSOLE_HEADER = "X-Standin-Console";

/** The headers of every request that the console sends for itself. */
export function ownHeaders(): Record<string, string> {
  return { [CONSOLE_HEADER]: "1", ...sandboxHeaders(), ...credentialHeaders() };
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  readonly signal?: AbortSignal;
  /** To the main data, whichever sandbox the page shows. */
  readonly isMain?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly durationMs: number;
}

/**
 * Sends one request to the data of this page. Asks the user for a key or token if one is required; throws a `Refusal`
 * if the response is not a success.
 */
export function ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const answer = askUntilAdmitted(method, path, options);
  if (method !== "GET") noteWrite(answer);
  return answer;
}

async function askUntilAdmitted(method: string, path: string, options: AskOptions): Promise<Answer> {
  for (;;) {
    const sentWith = credentialsVersion();
    const answer = await send(method, path, options);
    if (answer.status < 400) return answer;
    const refusal = refusalOf(answer.status, answer.text);
    if (!(await askForCredentials(refusal, sentWith))) throw refusal;
  }
}

const writes = new Set<Promise<unknown>>();

function noteWrite(answer: Promise<Answer>): void {
  writes.add(answer);
  const forget = (): void => void writes.delete(answer);
  answer.then(forget, forget);
}

/** Resolves when no write of this page is on its way, and their senders know the outcome. */
export async function writesSettled(): Promise<void> {
  while (writes.size > 0) {
    await Promise.allSettled(writes);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** The same, read as JSON. */
export async function askJson<T>(method: string, path: string, options: AskOptions = {}): Promise<T> {
  return JSON.parse((await ask(method, path, options)).text) as T;
}

async function send(method: string, path: string, options: AskOptions): Promise<Answer> {
  const { headers, body, signal, isMain = false } = options;
  const startedAt = performance.now();
  const sent: Record<string, string> = { Accept: "application/json", ...ownHeaders() };
  if (body !== undefined) sent["Content-Type"] = "application/json";
  // The preference of every request goes with that of this one.
  const prefer = [sent.Prefer, headers?.Prefer].filter((part) => part !== undefined).join(", ");
  const all = { ...sent, ...headers, ...(prefer !== "" && { Prefer: prefer }) };
  const init: RequestInit = { method, headers: all, cache: "no-store" };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  try {
    const response = await fetch(isMain ? `${MOUNT}${path}` : pathHere(pathAtMoment(method, path)), init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, durationMs: performance.now() - startedAt };
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw unreachable();
  }
}
