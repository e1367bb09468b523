import type { ServeOptions } from "../config/options.ts";
import { StartError } from "../errors.ts";
import { createMessages } from "../http/express/message-classes.ts";
import type { RequestHandler } from "../http/handler.ts";
import { type Listening, listen } from "../http/server.ts";
import type { Certificate } from "../http/tls/certificate.ts";
import { isLayerName } from "../layers/registry.ts";

/** Binds the port at once; requests that arrive before `ready` is called wait for the handler. */
export async function listenBeforeReady(
  { host, port, middlewares = [] }: Pick<ServeOptions, "host" | "port" | "middlewares">,
  certificate: Certificate | undefined,
): Promise<{
  listening: Listening;
  ready: (handler: RequestHandler) => void;
}> {
  let ready: (handler: RequestHandler) => void = () => {};
  const coming = new Promise<RequestHandler>((resolve) => {
    ready = (handler) => {
      current = handler;
      resolve(handler);
    };
  });
  let current: RequestHandler = async (req, res) => (await coming)(req, res);
  const messages = middlewares.every(isLayerName) ? undefined : createMessages();
  try {
    const listening = await listen((req, res) => current(req, res), { host, port, certificate, messages });
    return { listening, ready };
  } catch (thrown) {
    throw explain(thrown as NodeJS.ErrnoException, host, port);
  }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `EADDRINUSE: port ${port} is already in use. Choose another with --port, for example --port ${port < 65_535 ? port + 1 : 3001} ` +
          "(npm run start:3001 uses 3001).",
      );
    case "EACCES":
      return new StartError(`EACCES: permission denied for port ${port}. Choose one above 1023 with --port.`);
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
      return new StartError(`${error.code}: this machine has no address "${host}". Choose another with --host.`);
    default:
      return error;
  }
}
