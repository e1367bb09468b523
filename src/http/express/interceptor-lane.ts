import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { ERRORS, messageOf, StandinError } from "../../base/errors.ts";
import type { Reporter } from "../../base/reporter.ts";
import type { InterceptorStep, LayerStep } from "../edge.ts";
import { damageBody } from "../node/damaged-body.ts";
import type { Lane, NodeCall } from "../node/node-call.ts";
import type { Sender } from "../node/sender.ts";
import { type Pipeline, rewrite } from "../pipeline.ts";
import { errorReply, type Reply } from "../response/reply.ts";
import { adoptChanges, type ParsedRequest } from "./adopt-changes.ts";
import {
  beginResponse,
  ExpressLayerResponse,
  type Functions,
  functionsOf,
  isPlain,
  isWrapped,
  sendBare,
  sendByExpress,
} from "./express-reply.ts";
import { observeResponse } from "./express-traffic.ts";
import { leaveUnfilledBody, parseBody } from "./interceptor-body.ts";
import type { InterceptorDatabases } from "./interceptor-databases.ts";
import { createLane, type ExpressLane, type LaneEntry, setDatabase } from "./run-steps.ts";

/** The state of a request in the lane: parameters and functions as they were before the first interceptor. */
interface Passage {
  readonly call: NodeCall;
  query: string;
  functions: Functions;
}

interface InterceptorLaneParts {
  readonly pipeline: Pipeline;
  readonly sender: Sender;
  readonly databases: InterceptorDatabases | undefined;
}

const PASSAGE = Symbol("passage");

/** The lane through Express, where interceptors are listed. Responses leave by `res.jsonp(object)`, as in 0.17. */
export function createInterceptorLane(parts: InterceptorLaneParts): Lane {
  const { pipeline, databases } = parts;
  const { settings, reporter } = pipeline.service;
  const refuse = createRefuse(parts);
  const interceptors = pipeline.service.steps.filter((step) => step.kind === "interceptor");
  let used = interceptors.map(({ functions }) => functions);
  const isReplaced = ({ functions }: InterceptorStep, at: number): boolean => functions !== used[at];
  const build = (): ExpressLane =>
    createLane({
      entries: [observingEntry(parts), ...entriesOf(parts, refuse)],
      pretty: settings.pretty,
      jsonp: settings.jsonp,
      compression: settings.compression,
      trustProxy: settings.trustProxy,
      db: databases && (() => databases.of()),
      respond: (req, res, next) => respondThrough(parts, lane, { req, res }).catch(next),
      fail: (thrown, res, file) => {
        if (!res.headersSent) return refuse(interceptorFailureReply(thrown, file, reporter), res);
        reporter.fault(`${describeInterceptor(file)} failed after the response had begun.`, thrown);
        if (!res.writableEnded) res.destroy();
      },
      note: (thrown, file) =>
        reporter.fault(`${describeInterceptor(file)} failed after it had passed the request on.`, thrown),
    });
  let lane = build();
  const renew = (): void => {
    used = interceptors.map(({ functions }) => functions);
    lane = build();
  };

  return async (call) => {
    const { req, res } = call;
    // Hot path: no allocation.
    if (interceptors.some(isReplaced)) renew();
    rewrite(call, pipeline.service);
    req.method = call.method;
    req.url = call.url;
    Object.assign(req, { [PASSAGE]: { call, query: "", functions: [] } satisfies Passage });
    beginResponse(call, settings);
    // Express parses the query from the address, which a rewrite rule may have taken it out of.
    if (call.target.isQuerySpent) Object.assign(req, { query: lane.queryOf(call.target.search) });
    lane.run(req, res);
  };
}

type Refuse = (reply: Reply, res: ServerResponse) => void;

/** Sends a reply even where an interceptor that wraps `res` fails on it. */
function createRefuse({ pipeline }: InterceptorLaneParts): Refuse {
  const { reporter } = pipeline.service;
  return (reply, res) => {
    const { call } = passageOf(res.req);
    sendByExpress(call, reply, res).catch((thrown) => {
      reporter.fault("An interceptor failed on the response to an error.", thrown);
      if (res.headersSent) res.destroy();
      else sendBare(call, reply, res);
    });
  };
}

/** The first entry, where nothing wraps the response yet. */
function observingEntry({ pipeline, sender, databases }: InterceptorLaneParts): LaneEntry {
  const observers = { log: pipeline.service.reporter.request, record: sender.record };
  return {
    kind: "step",
    run: (req, res, next) => {
      const passage = passageOf(req);
      const { call } = passage;
      observeResponse(call, res, observers);
      if (databases && call.sandbox !== undefined) setDatabase(req, () => databases.of(call));
      passage.query = JSON.stringify(req.query);
      passage.functions = functionsOf(res);
      next();
    },
  };
}

function entriesOf({ pipeline }: InterceptorLaneParts, refuse: Refuse): LaneEntry[] {
  const { steps, settings } = pipeline.service;
  const layerEntry = ({ name, layer }: LayerStep): LaneEntry => ({
    kind: "step",
    run: (req, res, next) => {
      const { call } = passageOf(req);
      call.answeredBy = name;
      call.showAs(req.method, req.url, req.query);
      // A refusal is final: an error handler of the user's must not let the request pass.
      const stop = (thrown: unknown): void => refuse(pipeline.errorReply(call, thrown), res);
      const pass = (): void => {
        // Interceptors behind it may read the user.
        if (call.user !== undefined) Object.assign(req, { user: call.user });
        next();
      };
      const seen = new ExpressLayerResponse(res, (reply) => refuse(reply, res));
      try {
        layer(call, seen, pass)?.catch(stop);
      } catch (thrown) {
        stop(thrown);
      }
    },
  });
  const entries = steps.flatMap((step) =>
    step.kind === "layer" ? [layerEntry(step)] : [namingEntry(step.file), step satisfies LaneEntry],
  );
  // A guard in front of the first interceptor refuses before a body is read.
  const first = entries.findIndex((entry) => entry.kind === "interceptor");
  if (settings.bodyParser)
    entries.splice(first, 0, { kind: "step", run: (req, _res, next) => parseBody(passageOf(req).call, next) });
  return entries;
}

/** The last one that got the request, and did not pass it on, is the one that responds. */
function namingEntry(name: string): LaneEntry {
  return {
    kind: "step",
    run: (req, _res, next) => {
      passageOf(req).call.answeredBy = name;
      next();
    },
  };
}

interface Messages {
  readonly req: Parameters<RequestHandler>[0];
  readonly res: Parameters<RequestHandler>[1];
}

/** Responds to a request that every interceptor has passed on. Rejects where an interceptor fails on the response. */
async function respondThrough(parts: InterceptorLaneParts, lane: ExpressLane, { req, res }: Messages): Promise<void> {
  // An interceptor responded and passed the request on all the same, or the client has left.
  if (res.headersSent || res.destroyed) return;
  const { pipeline, sender, databases } = parts;
  const { call, query, functions } = passageOf(req);
  call.answeredBy = "route";
  adoptChanges(call, req as ParsedRequest, query);
  leaveUnfilledBody(req);
  let reply: Reply | undefined;
  try {
    const adopting = databases?.adopt(call);
    if (adopting) await adopting;
    reply = await pipeline.respond(call, pipeline.service);
  } catch (thrown) {
    reply = pipeline.errorReply(call, thrown);
  }
  if (!reply) return;
  if (reply.connection) return sender.send(call, reply);
  if (reply.damage) damageBody(call, reply.damage, pipeline.service.waits);
  if (isWrapped(res, functions) || !isPlain(call, reply, res)) return sendByExpress(call, reply, res);
  sendBare(call, { ...reply, etag: lane.tagOf(reply.json as string, "utf8") }, res);
}

function passageOf(req: IncomingMessage): Passage {
  return (req as IncomingMessage & { [PASSAGE]: Passage })[PASSAGE];
}

const CODE = "INTERCEPTOR_FAILED";

/** Turns an error of an interceptor into a response. One with a status of 4xx, as http-errors have, is the client's. */
function interceptorFailureReply(thrown: unknown, file: string | undefined, reporter: Reporter): Reply {
  if (thrown instanceof StandinError) return errorReply(thrown, reporter);
  const status = (thrown as { status?: unknown } | null)?.status;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return { status, json: JSON.stringify(new StandinError(CODE, messageOf(thrown))) };
  }
  reporter.fault(`${describeInterceptor(file)} failed.`, thrown);
  const message = `${describeInterceptor(file)} failed; the terminal says where.`;
  return { status: ERRORS[CODE].status, json: JSON.stringify(new StandinError(CODE, message)) };
}

/** Names an interceptor in a message by its file, if that is known. */
function describeInterceptor(file: string | undefined): string {
  return file === undefined ? "An interceptor" : `The interceptor ${file}`;
}
