/** A service worker serves all pages, so nobody else has the data. */
export async function holdName(): Promise<() => void> {
  return () => {};
}
