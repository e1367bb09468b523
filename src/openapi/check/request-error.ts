import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { findSecretWord, isSecretName } from "../../base/secrets/secret-name.ts";
import { pointerSteps } from "../../schema/pointer.ts";
import type { Violation } from "../../schema/rules/violation.ts";
import type { Operation } from "../read/api-document.ts";
import { CONTENT_TYPE } from "./request-body.ts";

/** The most problems in the message; all are in `errors`. */
const NAMED = 3;

/** The error of a request with problems: 415 for a body of another type, else 422. */
export function requestError({ method, path }: Operation, problems: readonly Violation[]): StandinError {
  const isOtherType = problems.some(({ rule }) => rule === CONTENT_TYPE);
  const named = problems.slice(0, NAMED).map(({ pointer, message }) => `${pointer} ${message}`);
  const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more` : "";
  return new StandinError(
    isOtherType ? "BODY_TYPE_UNSUPPORTED" : "REQUEST_INVALID",
    `The request does not match the API document at ${method} ${path.text}: ${named.join("; ")}${more}.`,
    {},
    { errors: problems.map(withoutSecret) },
  );
}

/** Without the value that was sent if it is a password or the like: logs show responses. */
function withoutSecret(problem: Violation): Violation {
  const { given, ...others } = problem;
  if (given === undefined) return problem;
  const isSecret =
    pointerSteps(problem.pointer).some(isSecretName) ||
    (typeof given === "object" && findSecretWord(stringifyJson(given)) !== -1);
  return isSecret ? others : problem;
}
