/** A page loads its worker before its first response, so that has no room for the past. */
export function openHistory(): undefined {}

export function offerHistory(): undefined {}
