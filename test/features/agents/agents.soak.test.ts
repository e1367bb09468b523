import { expect, test } from "vitest";
import { startApi } from "../../support/api.ts";
import { connectOverHttp, ERAS } from "./agent.ts";

const SESSIONS = 20;
const WRITES = 100;

test(`${SESSIONS} sessions that write the same record ${WRITES} times see only their own writes`, async () => {
  const api = await startApi();
  const before = (await api.ask("GET /db")).text;
  const agents = await Promise.all(
    Array.from({ length: SESSIONS }, (_, at) => connectOverHttp(api.url, ERAS[at % 2]!)),
  );
  await Promise.all(
    agents.map(async (agent, at) => {
      await agent.call("query", { path: "/products/1" });
      for (let round = 0; round < WRITES; round++) {
        const body = { name: `${at}/${round}` };
        await agent.call("write", { requests: [{ method: "PATCH", path: "/products/1", body }] });
        expect((await agent.call("query", { path: "/products/1" })).body.record.name).toBe(body.name);
      }
      expect((await agent.call("undo", { count: WRITES })).body.undone).toHaveLength(WRITES);
      expect((await api.ask(`GET /__sandbox/${agent.sandbox}/db`)).text).toBe(before);
    }),
  );
  expect((await api.ask("GET /db")).text).toBe(before);
});
