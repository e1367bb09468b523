import { isJsonObject, type Json, parseJson } from "./json.ts";
import { fieldOf, type Violation, violationsIn } from "./violation.ts";

/** A response that is not a success, with the message of the server. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** 0: there was no response at all. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** The rules that a write would have broken. */
  readonly violations: readonly Violation[];
  /** The place of the request that failed, in a batch. */
  readonly failed: number | undefined;
  /** The whole response, for errors that say more. */
  body: Json | undefined;

  constructor(
    status: number,
    code: string,
    title: string,
    message: string,
    violations: readonly Violation[] = [],
    failed?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.title = title;
    this.violations = violations;
    this.failed = failed;
  }

  /** The refusal without the violations of a field that was edited; undefined if there are no others. */
  without(field: string): Refusal | undefined {
    const left = this.violations.filter((violation) => fieldOf(violation) !== field);
    return left.length === 0 ? undefined : new Refusal(this.status, this.code, this.title, this.message, left);
  }
}

/** Reads the error from a response body; bodies from interceptors may have any shape. */
export function refusalOf(status: number, text: string): Refusal {
  const body = parseJson(text);
  const part = (key: string): string => {
    const value = isJsonObject(body) ? body[key] : undefined;
    return typeof value === "string" ? value : "";
  };
  const message = part("message") || part("error") || text.slice(0, 500) || `The server responded with ${status}.`;
  const title = part("error") || `Status ${status}`;
  const failed = isJsonObject(body) && typeof body.failed === "number" ? body.failed : undefined;
  const refusal = new Refusal(status, part("code"), title, message, violationsIn(body), failed);
  refusal.body = body;
  return refusal;
}

export function unreachable(): Refusal {
  return new Refusal(0, "", "No response", "The server does not respond. Is it still running?");
}

/** Turns any thrown value into a refusal to show. */
export function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  return new Refusal(0, "", "That did not work", thrown instanceof Error ? thrown.message : String(thrown));
}
