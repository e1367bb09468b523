import type { JsonObject } from "../../../base/json/json.ts";

const MAX_TRIES = 100;

/** Makes the slug of a new record from its name or title, as most servers do; records that have one stay as they are. */
export async function withSlug(sent: JsonObject, isTaken: (slug: string) => Promise<boolean>): Promise<JsonObject> {
  const text = sent.name ?? sent.title;
  if (sent.slug !== undefined || typeof text !== "string") return sent;
  const slug = text
    .normalize("NFKD")
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/[\s_]+/g, "-")
    .toLowerCase();
  for (let number = 1; slug !== "" && number < MAX_TRIES; number++) {
    const free = number === 1 ? slug : `${slug}-${number}`;
    if (!(await isTaken(free))) return { ...sent, slug: free };
  }
  return sent;
}
