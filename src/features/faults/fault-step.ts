import { StandinError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { MAX_WAIT_MS } from "../../base/wait.ts";
import type { Call } from "../../http/call.ts";
import type { FeatureStep, Service } from "../../http/contract.ts";
import { errorReply, type Reply } from "../../http/response/reply.ts";
import type { Faults, Hit } from "./faults.ts";
import type { Fault } from "./types.ts";

type Failure = Exclude<Fault, { fault: "latency" }>;

/** Without rules, only requests with `Prefer: code=...` go through it. */
export function createFaultStep(faults: Faults): FeatureStep {
  const step = {
    isActive: faults.hasRules,
    preference: /\bcode\b/i,
    respond: ((call, service, next) =>
      respondOrFail(hitsOn(call, service, faults), { call, service }, async () =>
        next(call, service),
      )) satisfies FeatureStep["respond"],
  };
  faults.watch(() => {
    step.isActive = faults.hasRules;
  });
  return step;
}

/** Our own routes never fail, so that faults can always be removed; nor does the console, which has to show the data. */
function hitsOn(call: Call, { features, responder }: Service, faults: Faults): readonly Hit[] {
  const { method, client, sandbox } = call;
  const { path } = call.target;
  if (path.startsWith("/__")) return [];
  const code = call.preferences?.get("code");
  if (code !== undefined) {
    // Which example it means is for the examples to say.
    const isServed = responder || features.some((feature) => feature.hasResponse?.(call, Number(code)));
    return isServed ? [] : [{ id: undefined, fault: preferredStatus(code), delayMs: 0 }];
  }
  if (call.isOfConsole) return [];
  return faults.meet({ method, clientPath: client.path, path, sandbox });
}

/** `Prefer: code=503`: this one request fails, regardless of the rules. */
function preferredStatus(code: string): Extract<Failure, { fault: "status" }> {
  const status = Number(code);
  if (/^\d{3}$/.test(code) && status >= 200 && status <= 599) {
    return { fault: "status", status, headers: { "Preference-Applied": `code=${code}` } };
  }
  throw new StandinError("FAULT_INVALID", `Prefer: code=${code}: a status from 200 to 599 is expected.`);
}

interface Asked {
  readonly call: Call;
  readonly service: Service;
}

/** Fails as the rules say, or responds by `carryOut`; undefined when no response is to be sent. */
async function respondOrFail(
  hits: readonly Hit[],
  asked: Asked,
  carryOut: () => Promise<Reply | undefined>,
): Promise<Reply | undefined> {
  const { call, service } = asked;
  if (hits.length === 0) return carryOut();
  call.faults = hits;
  const wait = async (isAfter: boolean): Promise<void> => {
    for (const { fault, delayMs } of hits) {
      if (fault.fault === "latency" && (fault.after ?? false) === isAfter) await service.waits.wait(delayMs, call);
    }
  };
  const failure = hits.map(({ fault }) => fault).find((fault): fault is Failure => fault.fault !== "latency");
  await wait(false);
  // The client may have left while it waited.
  if (call.hasLeft) return undefined;
  const isCarriedOut = failure === undefined || failure.after === true || isHarmless(failure, call);
  const reply = isCarriedOut
    ? await carryOut().catch((thrown) => errorReply(thrown, service.reporter))
    : notCarriedOut(call);
  if (!reply) return undefined;
  await wait(true);
  if (!failure) return reply;
  call.answeredBy = "fault";
  return fail(failure, reply, asked);
}

/** Faults that need the real response and change no data by it. */
function isHarmless({ fault }: Failure, { isSafe }: Call): boolean {
  return fault === "slow-body" || (isSafe && (fault === "truncated-body" || fault === "malformed-json"));
}

/** The response to a write that is damaged and not carried out. */
function notCarriedOut({ method }: Call): Reply {
  return { status: method === "POST" ? 201 : 200, json: JSON.stringify(onDemand("Nothing was changed.")) };
}

async function fail(failure: Failure, reply: Reply, { call, service: { waits } }: Asked): Promise<Reply> {
  switch (failure.fault) {
    case "status":
      return statusReply(failure);
    case "slow-body":
    case "truncated-body":
    case "malformed-json":
      // No tag: a client must not cache a damaged body.
      return { ...reply, etag: undefined, damage: failure };
    case "reset":
      return { status: 0, connection: "reset" };
    case "empty-reply":
      await call.drain();
      return { status: 0, connection: "end" };
    case "timeout":
      await waits.wait(failure.ms ?? MAX_WAIT_MS, call);
      return { status: 0, connection: "destroy" };
  }
}

function statusReply({ status, body, headers = {}, after = false }: Extract<Failure, { fault: "status" }>): Reply {
  const hasBody = status !== 204 && status !== 304;
  const type = Object.keys(headers).find((name) => name.toLowerCase() === "content-type");
  if (hasBody && typeof body === "string" && type !== undefined) {
    const { [type]: given = "", ...others } = headers;
    return { status, content: { type: given, body }, headers: others };
  }
  const done = after ? "The request was carried out before it." : "No data was read or changed.";
  const json = stringifyJson(body ?? onDemand(`A fault rule returned this on purpose. ${done}`));
  return { status, json: hasBody ? json : undefined, headers };
}

function onDemand(message: string): StandinError {
  return new StandinError("FAULT_ON_DEMAND", message);
}
