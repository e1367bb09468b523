/** Pages hold few records: see joined-texts.worker.ts. */
export function joinedUnion(): undefined {
  return undefined;
}
