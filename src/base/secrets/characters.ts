/** Creates a fast test for a set of ASCII characters, which is called for every character of a text. */
export function createCharacters(characters: string): (code: number) => boolean {
  const members = new Uint8Array(128);
  for (const character of characters) members[character.charCodeAt(0)] = 1;
  return (code) => members[code] === 1;
}
