/** A page that has a worker has no use for another one. */
export const renderIndex = undefined;

export function collectionPath(name: string): string {
  return `/${encodeURIComponent(name)}`;
}
