import type { RequestGroup } from "./request-book.ts";

/** Tools make names of files of them. */
const MAX_ID = 100;

/** Gives every request an id of its own, which is an identifier, and a name that fits on a line. */
export function uniqueIds(groups: readonly RequestGroup[]): RequestGroup[] {
  const taken = new Set<string>();
  const free = (wanted: string): string => {
    const plain = wanted
      .replace(/[^A-Za-z\d_]+/g, "_")
      .replace(/^(?=\d|$)/, "request_")
      .slice(0, MAX_ID);
    let id = plain;
    // Names of files differ in more than their case on every system.
    for (let count = 2; taken.has(id.toLowerCase()); count++) id = `${plain}_${count}`;
    taken.add(id.toLowerCase());
    return id;
  };
  return groups.map(({ name, requests }) => ({
    name,
    requests: requests.map((request) => ({ ...request, id: free(request.id), name: oneLine(request.name) })),
  }));
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
