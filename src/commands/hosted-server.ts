import { statSync } from "node:fs";
import { openEdge } from "../app/open-edge.ts";
import { createClockAndRandom } from "../base/clock-and-random.ts";
import type { Reporter } from "../base/reporter.ts";
import { createHostedHandler } from "../hosted/hosted-handler.ts";
import type { Mocks } from "../hosted/mocks.ts";
import { type Keys, privateGuard } from "../hosted/private.ts";
import { parseTarget } from "../http/call.ts";
import type { Edge, Step } from "../http/edge.ts";
import type { RequestHandler } from "../http/node/handler.ts";
import { readAllowedHosts } from "../http/own-routes.ts";
import type { LayerRequest } from "../layers/layer.ts";
import { createHostedLog } from "./hosted-log.ts";
import type { HostedOptions } from "./hosted-options.ts";
import { type HostedSource, openHostedFile, openHostedFolder } from "./hosted-sources.ts";

export interface HostedStart {
  readonly options: HostedOptions;
  /** The file or folder of examples; undefined for the built-in ones. */
  readonly file: string | undefined;
  readonly configFile: string | undefined;
  readonly reporter: Reporter;
}

export interface HostedServer {
  readonly edge: Edge;
  readonly source: HostedSource;
  readonly handler: RequestHandler;
  /** Ends the streams of the traffic log, which would hold up a stop. */
  stopStreams(): void;
}

/** Builds everything of a hosted server but the port: pipeline, mocks, traffic log, start page. */
export async function openHostedServer({ options, file, configFile, reporter }: HostedStart): Promise<HostedServer> {
  const allowedHosts = readAllowedHosts(options.host, options.allowedHosts);
  const clockAndRandom = createClockAndRandom();
  const { maxBodyBytes, noConsole, traffic } = options;
  const edgeStart = { reporter, place: configFile ?? "standin.json", settings: { jsonp: false, maxBodyBytes } };
  const opened = await openEdge(options, edgeStart, clockAndRandom);
  const source = await openSource(file, options, reporter);
  const { mocks } = source;
  const edge = guarded(opened, mocks, options);
  const { heartbeatMs } = edge.settings;
  const { now } = clockAndRandom;
  const log = noConsole || traffic === 0 ? undefined : createHostedLog(traffic, { heartbeatMs, now });
  const handler = await createHostedHandler(edge, { mocks, log, hasIndex: !noConsole, allowedHosts });
  return { edge, source, handler, stopStreams: () => log?.stop() };
}

function openSource(file: string | undefined, options: HostedOptions, reporter: Reporter): Promise<HostedSource> {
  const isFolder = file !== undefined && statSync(file, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? openHostedFolder(file, options, reporter) : openHostedFile(file, options, reporter);
}

/**
 * Adds the check of API keys where a mock is private, or may become so. It runs after CORS, because preflights carry no key,
 * and after the rate limit, which slows down guessing.
 */
function guarded(edge: Edge, mocks: Mocks, { watch }: HostedOptions): Edge {
  const mayNeedKey = mocks.list.some(({ keys }) => keys) || (watch && !mocks.only);
  if (!mayNeedKey) return edge;
  const keysFor = ({ url }: LayerRequest): Keys | undefined => mocks.find(parseTarget(url).path)?.mock.keys;
  const guard: Step = { kind: "layer", name: "private", layer: privateGuard(keysFor, edge.reporter.warn) };
  const isBefore = (step: Step): boolean =>
    step.kind === "layer" && (step.name === "cors" || step.name === "rate-limit");
  const behind = edge.steps.findLastIndex(isBefore) + 1;
  return { ...edge, steps: edge.steps.toSpliced(behind, 0, guard) };
}
