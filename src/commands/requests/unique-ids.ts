import type { BookRequest } from "./request-book.ts";

const MAX_ID = 100;

/** Gives every request an id of its own, which is an identifier, and a name that fits on a line. */
export function uniqueIds(requests: readonly BookRequest[]): BookRequest[] {
  const taken = new Set<string>();
  const free = (wanted: string): string => {
    const plain = wanted
      .replace(/[^A-Za-z\d_]+/g, "_")
      .replace(/^(?=\d|$)/, "request_")
      .slice(0, MAX_ID);
    let id = plain;
    for (let count = 2; taken.has(id); count++) id = `${plain}_${count}`;
    taken.add(id);
    return id;
  };
  return requests.map((request) => ({ ...request, id: free(request.id), name: oneLine(request.name) }));
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
