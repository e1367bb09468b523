import type { IncomingMessage, ServerResponse } from "node:http";
import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { isOwnPath } from "../call.ts";
import type { Service } from "../contract.ts";
import { Pipeline } from "../pipeline.ts";
import type { Reply } from "../response/reply.ts";
import { type Lane, NodeCall } from "./node-call.ts";
import { sendPage } from "./send-page.ts";
import { Sender } from "./sender.ts";

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => Eventually<void>;

/** The pipeline of a service on node:http: makes calls from requests, serves files, and sends replies. */
export async function createHandler(service: Service): Promise<RequestHandler> {
  const { settings, reporter, waits, features } = service;
  const pipeline = new Pipeline(service);
  const { record } = pipeline;
  const withPages = features.filter((feature) => feature.pageFor);
  const fileFolders = features.flatMap(({ folders = [] }) => folders);
  if (settings.staticFolder !== undefined) fileFolders.push(settings.staticFolder);
  const sender = new Sender({ settings, reporter, waits, record });
  const lane = await createLane(pipeline, sender);

  const byFile = async (call: NodeCall): Promise<void> => {
    const { isRead, client } = call;
    for (const folder of isRead ? fileFolders : []) {
      if (await sender.sendFile(call, { folder, path: client.path })) return;
    }
    for (const feature of isRead && isPagePath(client.path) ? withPages : []) {
      const page = await feature.pageFor?.(call);
      if (page) return sendPage(call, page, settings);
    }
    await lane(call);
  };

  return function handle(req, res) {
    const call = new NodeCall(req, res, settings);
    try {
      if (req.headers.host === undefined) expectHost(req);
      const early = pipeline.admit(call);
      if (early) return sender.send(call, early);
    } catch (thrown) {
      return sender.send(call, pipeline.errorReply(call, thrown));
    }
    // Files have no past.
    if (call.moment !== undefined) return lane(call);
    if (fileFolders.length > 0 || (withPages.length > 0 && isPagePath(call.client.path))) return byFile(call);
    return lane(call);
  };
}

/** The shortest lane for the steps that are listed: straight to the reply, or through Express. */
async function createLane(pipeline: Pipeline, sender: Sender): Promise<Lane> {
  const { service } = pipeline;
  if (service.steps.every(({ kind }) => kind === "layer")) return straightLane(pipeline, sender);
  // Express is loaded only where there is something to run on it.
  const { createInterceptorLane } = await import("../express/interceptor-lane.ts");
  const { createDatabases } = await import("../express/interceptor-databases.ts");
  const databases = service.responder ? undefined : createDatabases(service);
  return createInterceptorLane({ pipeline, sender, databases });
}

function straightLane(pipeline: Pipeline, sender: Sender): Lane {
  return (call) => {
    let made: Eventually<Reply | undefined>;
    try {
      made = pipeline.run(call);
    } catch (thrown) {
      return sender.send(call, pipeline.errorReply(call, thrown));
    }
    if (!(made instanceof Promise)) return made && sender.send(call, made);
    return made.then(
      (reply) => reply && sender.send(call, reply),
      (thrown) => sender.send(call, pipeline.errorReply(call, thrown)),
    );
  };
}

function isPagePath(path: string): boolean {
  return path === "/" || isOwnPath(path);
}

/** HTTP/1.1 requests must name the host (RFC 9112, 3.2). */
function expectHost({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== "1.1") return;
  throw new StandinError("REQUEST_MALFORMED", "An HTTP/1.1 request must have a Host header.", { Connection: "close" });
}
