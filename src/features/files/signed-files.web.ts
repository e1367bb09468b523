/** A page calls its own server: nothing needs a signature. */
export function signedFiles(): object {
  return {};
}
