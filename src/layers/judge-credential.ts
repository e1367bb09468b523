import type { LayerRequest, LayerResponse } from "./layer.ts";

/**
 * Runs a guard's judgement on a credential, which throws to reject it. Where the rate-limit layer stands in front, a
 * rejection counts against the client's address, and too many of them end in 429 before the next one is judged.
 */
export function judgeCredential<T>(req: LayerRequest, res: LayerResponse, judge: () => T): T {
  const settle = req.countGuess?.(req, res);
  if (!settle) return judge();
  let isRight = false;
  try {
    const result = judge();
    isRight = true;
    return result;
  } finally {
    settle(isRight);
  }
}

/** Does the same for an asynchronous judgement. */
export async function judgeCredentialSlowly<T>(
  req: LayerRequest,
  res: LayerResponse,
  judge: () => Promise<T>,
): Promise<T> {
  const settle = req.countGuess?.(req, res);
  let isRight = false;
  try {
    const result = await judge();
    isRight = true;
    return result;
  } finally {
    settle?.(isRight);
  }
}
