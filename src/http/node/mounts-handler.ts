import { isBelow } from "../base-path.ts";
import { parseTarget } from "../call.ts";
import type { Service } from "../contract.ts";
import { createHandler, type RequestHandler } from "./handler.ts";

/** Lets the service respond whose base the address begins with; otherwise the first one. A single service responds to all. */
export async function createMountsHandler(services: readonly Service[]): Promise<RequestHandler> {
  const handlers = await Promise.all(services.map(createHandler));
  const [first, ...others] = handlers.map((handle, at) => ({ handle, base: services[at]?.settings.base ?? "" }));
  if (!first) throw new TypeError("There is no service.");
  if (others.length === 0) return first.handle;
  return (req, res) => {
    const { path } = parseTarget(req.url ?? "/");
    const { handle } = others.find(({ base }) => isBelow(base, path)) ?? first;
    return handle(req, res);
  };
}
