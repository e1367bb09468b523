import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Request, Response } from "express";
import type { SendStream } from "send";
import { crossOriginHeaders } from "../../base/cross-origin.ts";
import { StandinError } from "../../base/errors.ts";
import type { ServiceSettings } from "../settings.ts";
import type { NodeCall } from "./node-call.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** A file as a response, or the `index.html` of a folder. */
export interface FileReply {
  readonly folder: string;
  /** Below the folder, as it stands in an address. Paths that leave the folder and dot files are never sent. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name changes with the content, so it can be cached for good. */
  readonly isImmutable?: boolean;
  /** Whether pages of other origins may read it. */
  readonly isCrossOrigin?: boolean;
  readonly isCompressed?: boolean;
  /** Put in front of the addresses in the page, which begin with a slash. */
  readonly base?: string;
  /** Its name in the traffic log; without one it is left out of it. */
  readonly answeredBy?: string;
}

type Outcome = "sent" | "missing" | StandinError;

/** Sends a file. A refusal is not sent yet: it is handed back. */
export async function sendFile(
  call: NodeCall,
  file: FileReply,
  { cors, compression: hasCompression }: ServiceSettings,
): Promise<Outcome> {
  if (file.base !== undefined) return sendBelow(file.base, call, file);
  // Loaded with the first file.
  const { default: send } = await import("send");
  const { req, res } = call;
  const { folder: root, path, isImmutable = false } = file;
  const cache = { cacheControl: isImmutable || !file.headers?.["Cache-Control"], immutable: isImmutable };
  const stream = send(req, path, {
    root,
    dotfiles: "ignore",
    index: "index.html",
    ...cache,
    maxAge: isImmutable ? YEAR_MS : 0,
  });
  stream.on("headers", () => {
    const headers = file.isCrossOrigin && cors ? crossOriginHeaders(req.headers.origin) : [];
    headers.push(...Object.entries(file.headers ?? {}).flat());
    for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!);
  });
  const outcome = outcomeOf(stream, call);
  if (file.isCompressed && hasCompression) {
    const { default: compression } = await import("compression");
    compression()(req as Request, res as Response, () => stream.pipe(res));
  } else stream.pipe(res);
  return outcome;
}

async function sendBelow(base: string, call: NodeCall, { folder, headers = {} }: FileReply): Promise<Outcome> {
  const { res } = call;
  const page = await readFile(join(folder, "index.html"), "utf8");
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.end(call.method === "HEAD" ? undefined : page.replaceAll('="/', `="${base}/`));
  return "sent";
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
