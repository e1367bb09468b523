import type { LayerRequest, LayerResponse } from "./layer.ts";

/**
 * Runs a guard's check of a credential, which throws to reject it. Behind the rate-limit layer, a rejection counts
 * against the client's address, and too many of them end in 429 before the next credential is checked.
 */
export function checkCredential<T>(req: LayerRequest, res: LayerResponse, check: () => T): T {
  const settle = req.countGuess?.(req, res);
  if (!settle) return check();
  let isRight = false;
  try {
    const result = check();
    isRight = true;
    return result;
  } finally {
    settle(isRight);
  }
}

/** Does the same for an asynchronous check. */
export async function checkCredentialAsync<T>(
  req: LayerRequest,
  res: LayerResponse,
  check: () => Promise<T>,
): Promise<T> {
  const settle = req.countGuess?.(req, res);
  let isRight = false;
  try {
    const result = await check();
    isRight = true;
    return result;
  } finally {
    settle?.(isRight);
  }
}
