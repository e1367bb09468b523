import { StandinError } from "../../base/errors.ts";
import { type Call, isOwnPath } from "../../http/call.ts";
import type { FeatureStep, OpenFeature } from "../../http/contract.ts";
import { FROM_HEADER } from "../../http/from-header.ts";
import type { Reply } from "../../http/response/reply.ts";
import type { FeatureContext } from "../feature.ts";
import type { GivenRecording } from "./given-recording.ts";
import { createGuard, readOrigins } from "./proxy/guard.ts";
import { Upstream } from "./proxy/upstream.ts";
import { isRead, sentMethod, UpstreamProxy } from "./proxy/upstream-proxy.ts";
import { recordingRoute } from "./recording-route.ts";
import { TrafficJudge } from "./traffic-judge.ts";

/** Longer bodies are passed on, but not kept. */
const MAX_RECORDED_BYTES = 10 * 1024 * 1024;
/** Where nothing is kept, the traffic log shows the beginning of bodies. */
const MAX_SHOWN_BYTES = 256 * 1024;

interface Options {
  readonly fallback: string | undefined;
  readonly fallbackWrites: boolean;
  readonly upstream: string | undefined;
  readonly header: readonly string[] | undefined;
  readonly origin: readonly string[] | undefined;
  readonly insecure: boolean;
}

export interface CheckedRecord {
  readonly upstream: Upstream;
  readonly origins: readonly string[];
  readonly recording: GivenRecording | undefined;
}

/** Throws where an address, a header or an origin cannot be one. */
export function checkRecord(options: Options, recording: GivenRecording | undefined): CheckedRecord {
  const { fallback, upstream, header, insecure, origin = [] } = options;
  const given =
    upstream === undefined
      ? { address: fallback ?? "", option: "--fallback" }
      : { address: upstream, option: "--upstream" };
  return { upstream: new Upstream({ ...given, headers: header, insecure }), origins: readOrigins(origin), recording };
}

/** Puts the real API in front of what is served, or behind it. */
export function openRecord({ options, checked, service }: FeatureContext<Options, CheckedRecord>): OpenFeature {
  const { upstream, origins, recording } = checked;
  const isFallback = options.upstream === undefined;
  const judge = isFallback || recording ? undefined : new TrafficJudge(service, upstream.base);
  const proxy = new UpstreamProxy({
    upstream,
    maxCopyBytes: isFallback ? MAX_SHOWN_BYTES : MAX_RECORDED_BYTES,
    isRecorded: recording !== undefined,
    seen: recording ? (sighting) => recording.recorder.see(sighting) : judge?.see,
  });
  return {
    name: "record",
    stage: recording ? "record" : "upstream",
    entrance: createGuard(service.settings, origins),
    step: isFallback ? fallbackStep(proxy, options.fallbackWrites) : upstreamStep(proxy, judge && "/health-check"),
    ...(recording && { routes: [recordingRoute(recording)] }),
    ...(judge && { health: judge.health }),
    close: () => upstream.close(),
  };
}

/** Everything but our own routes goes to the real API. */
function upstreamStep(proxy: UpstreamProxy, ownRoute?: string): FeatureStep {
  return {
    isActive: true,
    respond: (call, service, next) => {
      if (isOwnPath(call.target.path) || call.target.path === ownRoute) return next(call, service);
      const isWrite = !isRead(sentMethod(call));
      // The stage behind this one says why.
      if (isWrite && service.settings.readOnly) return next(call, service);
      if (isWrite && call.sandbox !== undefined) throw writeFromSandbox();
      return proxy.forward(call);
    },
  };
}

/** What nothing here knows comes from the real API. */
function fallbackStep(proxy: UpstreamProxy, withWrites: boolean): FeatureStep {
  const isPassed = (call: Call, thrown: unknown): boolean => {
    const isUnknown = thrown instanceof StandinError && /^(?:COLLECTION|ROUTE)_NOT_FOUND$/.test(thrown.code);
    // The real API has no past: its present would be taken for it.
    if (!isUnknown || isOwnPath(call.target.path) || call.moment) return false;
    return isRead(sentMethod(call)) || (withWrites && call.sandbox === undefined);
  };
  return {
    isActive: true,
    respond: async (call, service, next) => {
      try {
        return marked(await next(call, service));
      } catch (thrown) {
        if (isPassed(call, thrown)) return proxy.forward(call);
        throw thrown;
      }
    },
  };
}

/** A document says by itself what its responses are made of. */
function marked(reply: Reply | undefined): Reply | undefined {
  if (!reply || reply.connection || reply.headers?.[FROM_HEADER] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, [FROM_HEADER]: "data" } };
}

function writeFromSandbox(): StandinError {
  return new StandinError("READ_ONLY", "From a sandbox, no write goes to the real API. Send it without the sandbox.");
}
