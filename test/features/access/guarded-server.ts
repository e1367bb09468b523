import { Agent } from "node:http";
import type { JsonObject } from "../../../src/base/json/json.ts";
import type { ServeOptions } from "../../../src/config/options.ts";
import type { LayerStep } from "../../../src/http/edge.ts";
import { createHandler } from "../../../src/http/node/handler.ts";
import { listen } from "../../../src/http/node/server.ts";
import type { SignedInUser } from "../../../src/http/signed-in-user.ts";
import { DEFAULT_HISTORY } from "../../../src/store/history.ts";
import { MemoryStore } from "../../../src/store/memory/memory-store.ts";
import { State } from "../../../src/store/memory/state.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Answer, type AskOptions, askAt } from "../../support/api.ts";
import { openServiceOver } from "../../support/serve-store.ts";

export type UserName = "ann" | "bob" | "admin" | "nobody";

/** Ann is a plain user, Bob an editor; requests of nobody come without a user. */
export const PEOPLE: Readonly<Record<Exclude<UserName, "nobody">, SignedInUser>> = {
  ann: { id: "1", roles: [], claims: { team: "red", email: "ann@shop.test" } },
  bob: { id: "2", roles: ["editor"], claims: { team: "blue" } },
  admin: { id: "3", roles: ["admin"], claims: {} },
};
export const NAMES: readonly UserName[] = ["ann", "bob", "admin", "nobody"];

/** Takes the user from the header `x-user`, in place of a token. */
const byHeader: LayerStep = {
  kind: "layer",
  name: "sign-in",
  layer: (req, _res, next) => {
    req.user = PEOPLE[req.headers["x-user"] as keyof typeof PEOPLE];
    next();
  },
};

export interface GuardedServer {
  readonly url: string;
  readonly notes: readonly string[];
  as(user: UserName, line: string, options?: AskOptions): Promise<Answer>;
  close(): Promise<void>;
}

export function storeOf(data: JsonObject): Store {
  return new MemoryStore(State.load(structuredClone(data), "id", { history: DEFAULT_HISTORY }));
}

/** A server whose users are named by a header. Without rules, everyone sees everything. */
export async function serveGuarded(store: Store, options: Partial<ServeOptions>): Promise<GuardedServer> {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const service = await openServiceOver(store, options, { guard: byHeader, note });
  const agent = new Agent({ keepAlive: true });
  const { url, close } = await listen(await createHandler(service), { host: "127.0.0.1", port: 0 });
  return {
    url,
    notes,
    as: (user, line, { headers, ...more } = {}) =>
      askAt(url, line, { ...more, agent, headers: { ...headers, ...(user !== "nobody" && { "x-user": user }) } }),
    close: async () => {
      agent.destroy();
      for (const feature of service.features) feature.stop?.();
      await close();
      for (const feature of service.features) await feature.close?.();
    },
  };
}
