import { StandinError } from "../../errors.ts";
import { readBody } from "../../http/body/body.ts";
import { jsonReply } from "../../http/response/reply.ts";
import type { Route } from "../../http/route.ts";
import type { Service } from "../../http/service.ts";
import type { Json } from "../../json.ts";
import type { ActiveFault, Faults } from "./fault-rules.ts";
import { FaultProblem, readFault, readFaults } from "./read-fault.ts";

/** `/__faults`: the rules, new ones, and the end of all. Asked within a sandbox, it is about that sandbox alone. */
export const faultsRoute: Route<undefined> = {
  GET: async ({ sandbox }, service) => {
    const faults = faultsOf(service).list(sandbox);
    return jsonReply(JSON.stringify({ faults: faults.map(describe) }));
  },
  POST: async ({ req, sandbox }, service) => {
    const body = (await readBody(req, service.settings.maxBodyBytes)) ?? null;
    const added = add(faultsOf(service), body, sandbox);
    return { status: 201, json: JSON.stringify(Array.isArray(body) ? added.map(describe) : describe(added[0]!)) };
  },
  DELETE: async ({ sandbox }, service) => {
    faultsOf(service).clear(sandbox);
    return jsonReply("{}");
  },
};

/** `/__faults/<id>`: one of them. */
export const faultRoute: Route<{ id: string }> = {
  DELETE: async ({ sandbox }, service, { id }) => {
    faultsOf(service).remove(id, sandbox);
    return jsonReply("{}");
  },
};

/** All of them or none. */
function add(faults: Faults, body: Json, sandbox: string | undefined): ActiveFault[] {
  try {
    const rules = Array.isArray(body) ? readFaults(body) : [readFault(body)];
    return faults.add(sandbox === undefined ? rules : rules.map((rule) => ({ ...rule, sandbox })));
  } catch (thrown) {
    if (!(thrown instanceof FaultProblem)) throw thrown;
    throw new StandinError(
      "FAULT_INVALID",
      thrown.key === "" ? `A fault ${thrown.message}` : `"${thrown.key}" ${thrown.message}`,
    );
  }
}

function describe({ id, hits, fault }: ActiveFault): object {
  return { id, hits, ...fault };
}

function faultsOf({ faults }: Service): Faults {
  if (faults) return faults;
  throw new StandinError("ROUTE_NOT_FOUND", "This server knows no faults.");
}
