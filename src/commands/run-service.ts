import { abandonService, closeService } from "../app/open-service.ts";
import type { Reporter } from "../base/reporter.ts";
import type { ServeOptions } from "../config/options.ts";
import type { Service } from "../http/contract.ts";
import { createHandler } from "../http/node/handler.ts";
import type { Listening } from "../http/node/server.ts";
import { stopServing } from "../http/node/stop.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import { listenBeforeReady } from "./listen.ts";
import { stopOnSignal } from "./signals.ts";
import { outliveUserCode } from "./stray-errors.ts";
import type { Terminal } from "./terminal.ts";

export interface ServiceRun {
  readonly options: Pick<
    ServeOptions,
    "host" | "port" | "middlewares" | "quiet" | "https" | "cert" | "key" | "watch"
  > & { readonly source?: string };
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  /** Decisions of the start that are worth knowing. */
  readonly notes: string[];
  /** Called when the port is in use: throws if there is a problem to be solved first. */
  readonly lookForProblems?: () => Promise<void>;
  /** Called once the port is bound. A start that fails because of the port has opened nothing. */
  open(): Promise<Service>;
  follow(service: Service): Watcher;
  announce(service: Service, listening: Listening): void;
}

/** A server that runs until `stop` is called or a signal comes; then the process ends. */
export interface Serving {
  readonly service: Service;
  readonly url: string;
  stop(): void;
  /** Calls a function when the server stops. */
  atEnd(act: () => void): void;
}

/** Serves a service on a port until a signal stops it. */
export async function runService(run: ServiceRun): Promise<Serving> {
  const { options, terminal, reporter, notes, lookForProblems } = run;
  const certificate = await openCertificate(options, options.source);
  if (certificate?.warning) reporter.warn(certificate.warning);
  const { listening, ready } = await listenBeforeReady({ ...options, terminal, certificate, lookForProblems });
  let opened: Service | undefined;
  try {
    const service = await run.open();
    opened = service;
    service.store.announceAddress(listening.url);
    ready(await createHandler(service));
    const watcher = options.watch ? run.follow(service) : undefined;
    const endings: (() => void)[] = [() => watcher?.close()];
    const stop = stopOnSignal(reporter, async () => {
      for (const end of endings) end();
      await stopServing(service, listening, service.store.shared ? "shared" : "process");
      await closeService(service);
    });
    const plugins = service.features.flatMap(({ watched }) => watched?.files() ?? []);
    outliveUserCode(service.steps, reporter, plugins);
    certificate?.keep?.();
    if (certificate) notes.push(...certificateNotes(certificate));
    if (!options.quiet) run.announce(service, listening);
    return { service, url: listening.url, stop, atEnd: (act) => endings.push(act) };
  } catch (thrown) {
    await listening.abort();
    // Open database connections would keep the process alive.
    if (opened) await abandonService(opened);
    throw thrown;
  }
}
