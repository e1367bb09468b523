import { StartError } from "../base/errors.ts";
import type { ServeOptions } from "../config/options.ts";
import { createMessages } from "../http/express/message-classes.ts";
import type { RequestHandler } from "../http/node/handler.ts";
import { type Listening, type ListenOptions, listen } from "../http/node/server.ts";
import type { Certificate } from "../http/node/tls/certificate.ts";
import { isLayerName } from "../layers/registry.ts";
import type { Terminal } from "./terminal.ts";

/** Where `--port auto` begins. */
const FIRST_PORT = 3000;
/** Suggested in place of a port that is in use. */
const ALTERNATIVE = 3001;
const LAST_PORT = 65_535;
/** Ports up to this one need privileges on most systems. */
const LAST_PRIVILEGED = 1023;
/** Ports tried in turn before the search is given up. */
const PORTS_TRIED = 100;

export interface PortOptions extends Pick<ServeOptions, "host" | "port" | "middlewares" | "quiet"> {
  readonly terminal: Terminal;
  readonly certificate: Certificate | undefined;
  /** Called when the port is in use, before it is reported: throws if there is a problem to be solved first. */
  readonly lookForProblems?: (() => Promise<void>) | undefined;
}

/** Binds the port at once; requests that arrive before `ready` is called wait for the handler. */
export async function listenBeforeReady(options: PortOptions): Promise<{
  listening: Listening;
  ready: (handler: RequestHandler) => void;
}> {
  let come: (handler: RequestHandler) => void = () => {};
  const coming = new Promise<RequestHandler>((resolve) => {
    come = resolve;
  });
  const { host, port, middlewares = [], certificate } = options;
  const messages = middlewares.every(isLayerName) ? undefined : createMessages();
  const listenAt = (at: number): Promise<Listening> =>
    listen(async (req, res) => (await coming)(req, res), {
      host,
      port: at,
      certificate,
      messages,
    } satisfies ListenOptions);
  try {
    const listening = await (port === "auto"
      ? listenAtNext(FIRST_PORT, listenAt)
      : listenAt(port).catch((thrown) => offerNext(thrown, port, { ...options, listenAt })));
    const ready = (handler: RequestHandler): void => {
      come(handler);
      listening.respondBy(handler);
    };
    return { listening, ready };
  } catch (thrown) {
    throw explain(thrown as NodeJS.ErrnoException, host, port);
  }
}

type ListenAt = (port: number) => Promise<Listening>;

async function listenAtNext(first: number, listenAt: ListenAt): Promise<Listening> {
  for (let port = first; ; port++) {
    try {
      return await listenAt(port);
    } catch (thrown) {
      if (!isTaken(thrown) || port === LAST_PORT || port - first === PORTS_TRIED) throw thrown;
    }
  }
}

/** At a terminal, a person may take the next free port; declining, and every script, fails. */
async function offerNext(
  thrown: unknown,
  port: number,
  { quiet, terminal, lookForProblems, listenAt }: PortOptions & { readonly listenAt: ListenAt },
): Promise<Listening> {
  if (!isInUse(thrown)) throw thrown;
  await lookForProblems?.();
  if (quiet || !terminal.canAsk || port === LAST_PORT) throw thrown;
  // Bound before the question, so that it is still free after the answer.
  const next = await listenAtNext(port + 1, listenAt).catch(() => Promise.reject(thrown));
  if (await terminal.confirm(`Port ${port} is in use. Use ${next.port} instead?`)) return next;
  await next.abort();
  throw thrown;
}

function isInUse(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === "EADDRINUSE";
}

/** In use, or one of the ports that Windows reserves for virtual machines. */
function isTaken(thrown: unknown): boolean {
  return isInUse(thrown) || (thrown as NodeJS.ErrnoException).code === "EACCES";
}

function explain(error: NodeJS.ErrnoException, host: string, port: number | "auto"): Error {
  if (port === "auto" && isTaken(error)) {
    const last = FIRST_PORT + PORTS_TRIED;
    return new StartError(
      `${error.code}: the ports from ${FIRST_PORT} to ${last} are all in use. Choose another with --port.`,
    );
  }
  const other = port === ALTERNATIVE ? port + 1 : ALTERNATIVE;
  const another = `Choose another with --port, such as --port ${other}, or let --port auto take the next free one.`;
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(`EADDRINUSE: port ${port} is already in use. ${another}`);
    case "EACCES":
      return new StartError(
        Number(port) > LAST_PRIVILEGED
          ? `EACCES: port ${port} is reserved by the system. ${another}`
          : `EACCES: permission denied for port ${port}. Choose one above ${LAST_PRIVILEGED} with --port.`,
      );
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
      return new StartError(`${error.code}: this machine has no address "${host}". Choose another with --host.`);
    default:
      return error;
  }
}
