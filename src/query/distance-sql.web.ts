/** Pages and workers have no database. */
export function haversineSql(): undefined {
  return undefined;
}
