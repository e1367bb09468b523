import type { ServerResponse } from "node:http";
import type { SendStream } from "send";
import { crossOriginHeaders } from "../../base/cross-origin.ts";
import { StandinError } from "../../base/errors.ts";
import type { ServiceSettings } from "../settings.ts";
import type { NodeCall } from "./node-call.ts";

/** A file as a response, or the `index.html` of a folder. */
export interface FileReply {
  readonly folder: string;
  /** Below the folder, as it stands in an address. Paths that leave the folder and dot files are never sent. */
  readonly path: string;
}

type Outcome = "sent" | "missing" | StandinError;

/** Sends a file. A refusal is not sent yet: it is handed back. */
export async function sendFile(
  call: NodeCall,
  { folder: root, path }: FileReply,
  { cors }: ServiceSettings,
): Promise<Outcome> {
  // Loaded with the first file.
  const { default: send } = await import("send");
  const { req, res } = call;
  const stream = send(req, path, { root, dotfiles: "ignore", index: "index.html" });
  stream.on("headers", () => {
    const headers = cors ? crossOriginHeaders(req.headers.origin) : [];
    for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!);
  });
  const outcome = outcomeOf(stream, call);
  stream.pipe(res);
  return outcome;
}

function outcomeOf(stream: SendStream, call: NodeCall): Promise<Outcome> {
  const { req, res } = call;
  return new Promise((resolve) => {
    // A folder without a slash is no file: routes may have the name.
    stream.on("directory", () => resolve("missing"));
    stream.on("error", ({ status }: { status?: number }) => {
      if (status !== 416) return resolve("missing");
      resolve(new StandinError("RANGE_INVALID", `The file has no such range: ${req.headers.range}.`));
    });
    res.once("close", () => {
      noteSent(call, res);
      resolve("sent");
    });
  });
}

function noteSent(call: NodeCall, res: ServerResponse): void {
  const headers = res.getHeaders();
  call.sentStatus = res.statusCode;
  call.sentHeaders = headers;
  call.sentBytes = Number(headers["content-length"] ?? 0);
}
