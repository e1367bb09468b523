/** Pages hold few records: to scan their texts takes less than an index would add to every load of the worker. */
export function searchAccess(): undefined {
  return undefined;
}

export function likeAccess(): undefined {
  return undefined;
}
