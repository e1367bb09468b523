import type { IncomingHttpHeaders } from "node:http";
import { StandinError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json/json.ts";
import type { ApiDocument, Operation, SecurityRequirement } from "../read/api-document.ts";
import { decodedText, readRawCookies, readRawQuery } from "./parameter-values.ts";

interface Credentials {
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
}

/** The error of a request without the credentials that an operation requires; undefined where they are there. */
export type SecurityCheck = (operation: Operation, sent: Credentials) => StandinError | undefined;

/** A scheme, as it is checked. */
interface Scheme {
  /** Follows "send". */
  readonly words: string;
  /** For `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  isMet(sent: Credentials): boolean;
}

/** Creates the check of credentials: they must be there in the right form. Whether they are valid is not known here. */
export function createSecurityCheck({ securitySchemes }: Pick<ApiDocument, "securitySchemes">): SecurityCheck {
  const schemes = new Map([...securitySchemes].map(([name, scheme]) => [name, readScheme(scheme)]));
  // A scheme that is not declared, or works below HTTP, cannot be checked.
  const schemesOf = (requirement: SecurityRequirement): Scheme[] =>
    requirement.flatMap(({ scheme }) => schemes.get(scheme) ?? []);
  return ({ security, method, path }, sent) => {
    if (security.length === 0) return undefined;
    const alternatives = security.map(schemesOf);
    if (alternatives.some((all) => all.every((scheme) => scheme.isMet(sent)))) return undefined;
    const wanted = alternatives.map((all) => all.map(({ words }) => words).join(" and "));
    const challenges = alternatives.flat().flatMap(({ challenge }) => challenge ?? []);
    const headers = challenges.length === 0 ? {} : { "WWW-Authenticate": [...new Set(challenges)].join(", ") };
    const message = `${method} ${path.text} needs credentials: send ${[...new Set(wanted)].join(", or ")}.`;
    return new StandinError("CREDENTIALS_REQUIRED", message, headers);
  };
}

/** Undefined for a scheme that cannot be checked. */
function readScheme(scheme: JsonObject): Scheme | undefined {
  switch (scheme.type) {
    case "apiKey":
      return typeof scheme.name === "string" ? apiKey(scheme.name, scheme.in) : undefined;
    case "http":
      return httpScheme(String(scheme.scheme ?? "bearer"));
    case "oauth2":
    case "openIdConnect":
      return httpScheme("bearer");
    default:
      return undefined;
  }
}

function apiKey(name: string, at: unknown): Scheme | undefined {
  const challenge = undefined;
  switch (at) {
    case "header": {
      const lower = name.toLowerCase();
      const isMet = ({ headers }: Credentials): boolean => Object.hasOwn(headers, lower) && headers[lower] !== "";
      return { words: `an API key in the header ${name}`, challenge, isMet };
    }
    case "query": {
      const isMet = ({ search }: Credentials): boolean =>
        readRawQuery(search).some(([key, value]) => key === name && decodedText(value) !== "");
      return { words: `an API key in the query parameter ${name}`, challenge, isMet };
    }
    case "cookie": {
      const isMet = ({ headers }: Credentials): boolean =>
        readRawCookies(headers.cookie).some(([key, value]) => key === name && value !== "");
      return { words: `an API key in the cookie ${name}`, challenge, isMet };
    }
    default:
      return undefined;
  }
}

function httpScheme(scheme: string): Scheme {
  const given = ({ headers }: Credentials): string | undefined => {
    const [name, value] = (headers.authorization ?? "").trim().split(/\s+/, 2);
    return name?.toLowerCase() === scheme.toLowerCase() ? value : undefined;
  };
  switch (scheme.toLowerCase()) {
    case "basic":
      return {
        words: "the header Authorization: Basic <user:password in base64>",
        challenge: 'Basic realm="standin", charset="UTF-8"',
        isMet: (sent) => Buffer.from(given(sent) ?? "", "base64").includes(":"),
      };
    case "bearer":
      return {
        words: "the header Authorization: Bearer <token>",
        challenge: 'Bearer realm="standin"',
        isMet: (sent) => given(sent) !== undefined,
      };
    default:
      return {
        words: `the header Authorization: ${scheme} <credentials>`,
        challenge: `${scheme} realm="standin"`,
        isMet: (sent) => given(sent) !== undefined,
      };
  }
}
