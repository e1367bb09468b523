import type { Call } from "../../../http/call.ts";
import type { Handler, PathParts, Service } from "../../../http/contract.ts";
import { isDryRun } from "../../../http/routes/carry-out.ts";
import type { Write } from "../../../store/store.ts";

interface Asked {
  readonly call: Call;
  readonly service: Service;
  readonly parts: PathParts;
}

interface Effect<Target> {
  /** Finds what the request is about; throws where it is not there. */
  find(service: Service, parts: PathParts): Promise<Target>;
  /** Undefined where nothing is to be written. */
  writeFor(target: Target, asked: Asked): Promise<Write | undefined>;
}

/** Responds as usual, and writes once the response is a success; a dry run writes nothing. */
export function writeAfter<Target>(
  respond: Handler<PathParts>,
  { find, writeFor }: Effect<Target>,
): Handler<PathParts> {
  return async (call, service, parts) => {
    const target = await find(service, parts);
    const reply = await respond(call, service, parts);
    if (reply.status >= 300 || isDryRun(call.preferences)) return reply;
    const write = await writeFor(target, { call, service, parts });
    if (write) await service.store.apply(write);
    return reply;
  };
}
