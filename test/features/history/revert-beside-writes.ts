import { expect } from "vitest";
import type { HistoryPage } from "../../../src/features/history/types.ts";
import type { Api } from "../../support/api.ts";

const CLIENTS = 4;

/** Takes back that collections went and came and that all data was replaced, while clients write: none of it is lost. */
export async function revertBesideWrites({ ask }: Pick<Api, "ask">, rounds: number): Promise<void> {
  // Known by their texts: the id of a note that is lost would be given again.
  const acknowledged: string[] = [];
  let isDone = false;
  const client = async (_: unknown, number: number): Promise<void> => {
    for (let count = 0; !isDone; count++) {
      const text = `${number}.${count}`;
      const { status } = await ask("POST /notes", { body: { text } });
      expect(status).toBe(201);
      acknowledged.push(text);
    }
  };
  const change = async (line: string, body?: unknown): Promise<number> => {
    const answer = await ask(line, body === undefined ? {} : { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    const { versions } = (await ask("GET /__history?limit=1000")).body as HistoryPage;
    return versions.find(({ by, kind }) => by !== "file" && kind !== "change")?.version ?? 0;
  };
  const clients = Array.from({ length: CLIENTS }, client);
  try {
    for (let round = 0; round < rounds; round++) {
      const removal = await change("DELETE /__collections/tags");
      await change(`POST /__history/${removal}/revert`, {});
      const creation = await change("POST /__collections", { name: "more" });
      await change(`POST /__history/${creation}/revert`, {});
    }
  } finally {
    isDone = true;
    await Promise.all(clients);
  }
  const found = (await ask("GET /notes")).body as { text: string }[];
  const present = new Set(found.map(({ text }) => text));
  expect(acknowledged.filter((text) => !present.has(text))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(rounds);
  expect((await ask("GET /tags")).body).toEqual([{ id: 1, name: "new" }]);
  expect((await ask("GET /more")).status).toBe(404);
}

export const NOTES = { notes: [{ id: 1, text: "note" }], tags: [{ id: 1, name: "new" }] };
