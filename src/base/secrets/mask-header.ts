import { maskText } from "./mask-text.ts";
import { MASK } from "./masking.ts";
import { isSecretName } from "./secret-name.ts";

/** CORS headers contain no secrets, whatever their names. */
const OPEN_HEADER = /^access-control-/;
/** Characters shown of a secret to recognise it; too many of one shorter than `MIN_LENGTH`. */
const SHOWN = 5;
const MIN_LENGTH = 10;

/** Masks a header with a secret name, and the secrets in a URL that another header may contain. */
export function maskHeader(lowerCaseName: string, value: string): string {
  if (OPEN_HEADER.test(lowerCaseName)) return value;
  if (!isSecretName(lowerCaseName)) return maskText(value);
  return value.length < MIN_LENGTH ? MASK : `${value.slice(0, SHOWN)}${MASK}`;
}
