/** How many letters two texts differ by. A page loads this, so it is short before it is fast. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [from, letter] of one.split("").entries()) {
    let left = from + 1;
    row = row.map((above, to) => {
      if (to > 0) left = Math.min((row[to - 1] ?? 0) + (letter === other[to - 1] ? 0 : 1), above + 1, left + 1);
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
