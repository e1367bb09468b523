/** Whether a target is one of the allowed origins. */
export function isAllowedTarget(url: string, origins: readonly string[]): boolean {
  const { origin } = new URL(url);
  return origins.some((allowed) => URL.canParse(allowed) && new URL(allowed).origin === origin);
}
