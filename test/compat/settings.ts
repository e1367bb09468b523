/** The seed decides everything a run asks, so a failure can be had again with STANDIN_SEED. */
export const SEED = numberFrom("STANDIN_SEED", 174);

/** How many requests are compared, at least. */
export const REQUESTS = numberFrom("STANDIN_COMPAT_REQUESTS", 300);

function numberFrom(variable: string, fallback: number): number {
  const given = process.env[variable];
  if (given === undefined || given === "") return fallback;
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${variable}=${given} is not a whole number.`);
  return number;
}
