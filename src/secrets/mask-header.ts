import { MASK, maskText } from "./mask-text.ts";
import { isSecretName } from "./secret-name.ts";

/** Responses to questions of browsers; none of them holds a secret, whatever it is named. */
const OPEN_HEADER = /^access-control-/;
/** A beginning of this length tells who sent it; of a shorter secret it would tell too much. */
const SHOWN = 5;
const MIN_LENGTH = 10;

/** Masks a header that is named like a secret, and the secrets in the address that another one may hold. */
export function maskHeader(lowerCaseName: string, value: string): string {
  if (OPEN_HEADER.test(lowerCaseName)) return value;
  if (!isSecretName(lowerCaseName)) return maskText(value);
  return value.length < MIN_LENGTH ? MASK : `${value.slice(0, SHOWN)}${MASK}`;
}
