/** Why a target is not one of the allowed origins, with the line to add to the config; undefined if it is one. */
export function targetProblem(url: string, origins: readonly string[]): string | undefined {
  const { origin } = new URL(url);
  if (origins.some((allowed) => URL.canParse(allowed) && new URL(allowed).origin === origin)) return undefined;
  return `TARGET_NOT_ALLOWED: add "hookTargets": ${JSON.stringify([...origins, origin])} to the config.`;
}
