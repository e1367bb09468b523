/** Called behind every test file. What is imported lives as long as the worker, so a plain `afterAll` of a module would
 * count for the first file alone. */
const cleaners: (() => unknown)[] = [];

/** Registers, once for each worker, how to remove what a file left behind. */
export function afterEachFile(clean: () => unknown): void {
  cleaners.push(clean);
}

export async function removeLeftovers(): Promise<void> {
  for (const clean of cleaners.toReversed()) await clean();
}
