import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";

test("{} and [] are different groups", async () => {
  const api = await startApi({
    data: {
      things: [
        { id: 1, place: {} },
        { id: 2, place: [] },
        { id: 3, place: {} },
      ],
    },
  });
  expect((await api.ask("GET /things?_group=place")).body).toEqual([
    { place: {}, count: 2 },
    { place: [], count: 1 },
  ]);
});
