const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * The properties of a client for these members: their names, in camel case where a name is no identifier, and with a
 * number where it is taken. `order-lines` -> `orderLines`.
 */
export function memberKeys(names: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  // A name that needs no change keeps it, wherever it stands.
  const unchanged = names.filter((name) => IDENTIFIER.test(name) && !used.has(name));
  for (const name of unchanged) used.add(name);
  return names.map((name) => {
    if (unchanged.includes(name)) return name;
    const wanted = IDENTIFIER.test(name) ? name : camelCase(name);
    let free = wanted;
    for (let number = 2; used.has(free); number++) free = `${wanted}${number}`;
    used.add(free);
    return free;
  });
}

function camelCase(text: string): string {
  const [first = "member", ...others] = text.match(/[\p{ID_Continue}$]+/gu) ?? [];
  const name = [first, ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join("");
  return IDENTIFIER.test(name) ? name : `_${name}`;
}
