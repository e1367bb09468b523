/** No page or worker reaches a database. */
export function postgresSettings(): undefined {
  return undefined;
}
