/** The page and its files are for the host of the page to serve. */
export function createPages(): () => undefined {
  return () => undefined;
}
