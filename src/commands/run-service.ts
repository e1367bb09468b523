import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { abandonService, announceAddress, closeService } from "../app/open-service.ts";
import { StartError } from "../base/errors.ts";
import type { Eventually } from "../base/eventually.ts";
import { realPath } from "../base/files/atomic-write.ts";
import type { Reporter } from "../base/reporter.ts";
import type { ServeOptions } from "../config/options.ts";
import type { Service } from "../http/contract.ts";
import type { MiddlewareStep } from "../http/edge.ts";
import { createMountsHandler } from "../http/node/mounts-handler.ts";
import { stopServing } from "../http/node/stop.ts";
import type { Certificate } from "../http/node/tls/certificate.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { layoutOf } from "../store/open-store.ts";
import { listenBeforeReady } from "./listen.ts";
import { stopOnSignal } from "./signals.ts";
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
  /** Of several, the first one responds to what is below no other. */
  readonly services: readonly ServiceOpening[];
  announce(services: readonly Service[], url: string): void;
}

export interface ServiceOpening {
  /** Called once the port is bound. A start that fails because of the port has opened nothing. */
  open(): Promise<Service>;
  /** For `--watch`. */
  follow?(service: Service): Watcher;
}

/** A server that runs until `stop` is called or a signal comes; then the process ends. */
export interface Serving {
  readonly services: readonly Service[];
  readonly url: string;
  stop(): void;
  /** Calls a function when the server stops. */
  atEnd(act: () => Eventually<void>): void;
}

/** Serves one or more services on a port until a signal stops it. */
export async function runService(run: ServiceRun): Promise<Serving> {
  const { options, terminal, reporter, notes, lookForProblems } = run;
  const certificate = await openCertificate(options, options.source);
  if (certificate?.warning) reporter.warn(certificate.warning);
  const { listening, ready } = await listenBeforeReady({ ...options, terminal, certificate, lookForProblems });
  const services: Service[] = [];
  try {
    const watchers: (() => Watcher)[] = [];
    for (const { open, follow } of run.services) {
      const service = await open();
      services.push(service);
      announceAddress(service, `${listening.url}${service.settings.base}`);
      if (follow) watchers.push(() => follow(service));
    }
    ready(await createMountsHandler(services));
    const endings = watchers.map((follow): (() => Eventually<void>) => {
      const watcher = follow();
      return () => watcher.close();
    });
    const stop = stopOnSignal(reporter, async () => {
      for (const end of endings) await end();
      const isShared = services.some(({ store }) => store.hasOtherWriters);
      await stopServing(services, listening, isShared ? "shared" : "process");
      await closeAll(services);
    });
    const plugins = services.flatMap(({ features }) => features.flatMap(({ watched }) => watched?.files() ?? []));
    const steps = services.flatMap((service) => service.steps);
    outliveUserCode(steps, reporter, plugins);
    certificate?.keep?.();
    if (certificate) notes.push(...certificateNotes(certificate));
    const url = `${listening.url}${services[0]?.settings.base}`;
    if (!options.quiet) run.announce(services, url);
    // The one thing that a script cannot know.
    else if (options.port === 0 || options.port === "auto") terminal.print(url);
    return { services, url, stop, atEnd: (act) => endings.push(act) };
  } catch (thrown) {
    await listening.abort();
    // Open database connections would keep the process alive.
    for (const service of services) await abandonService(service);
    throw thrown;
  }
}

/** One that cannot be saved does not keep the others from it. */
async function closeAll(services: readonly Service[]): Promise<void> {
  const closed = await Promise.allSettled(services.map(closeService));
  const failed = closed.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/**
 * Logs errors that interceptors and plugins throw outside of a request, in a timer or an unhandled promise, and keeps
 * serving. Errors from any other code end the process, as they do without interceptors.
 */
function outliveUserCode(steps: readonly MiddlewareStep[], reporter: Reporter, plugins: readonly string[] = []): void {
  const interceptors = steps.flatMap((step) => (step.kind === "interceptor" ? [resolve(step.file)] : []));
  const files = [...interceptors, ...plugins];
  if (files.length === 0) return;
  const folders = files.flatMap((file) => writings(dirname(file) + sep));
  process.on("uncaughtException", (thrown: unknown) => {
    const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
    const frames = stack.split("\n").filter((frame) => !/[\\/]node_modules[\\/]/.test(frame));
    const theirs = frames.find((frame) => folders.some((folder) => frame.includes(folder)));
    if (theirs === undefined) {
      reporter.fault("standin stops because of an unexpected error.", thrown);
      process.exit(1);
    }
    const file = files.find((name) => writings(name).some((written) => theirs.includes(written)));
    reporter.fault(`${nameOf(file, plugins, interceptors.length > 0)} failed outside of a request.`, thrown);
  });
}

/** How a path stands in a stack: as it is, or as an address for an ES module. */
function writings(path: string): string[] {
  return [path, pathToFileURL(path).href];
}

function nameOf(file: string | undefined, plugins: readonly string[], hasInterceptors: boolean): string {
  if (file === undefined) return hasInterceptors ? "An interceptor" : "A plugin";
  return `The ${plugins.includes(file) ? "plugin" : "interceptor"} ${file}`;
}

/** Opens the certificate; undefined for plain HTTP. A pair of files switches HTTPS on, half a pair is an error. */
export async function openCertificate(
  { https, cert, key }: Pick<ServeOptions, "https" | "cert" | "key">,
  source?: string,
): Promise<Certificate | undefined> {
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? "cert" : "key";
    throw new StartError(`HTTPS needs both a certificate and a key, and --${missing} ("ssl.${missing}") is missing.`);
  }
  if (!https && cert === undefined) return undefined;
  const { loadCertificate, selfSignedCertificate } = await import("../http/node/tls/certificate.ts");
  if (cert !== undefined && key !== undefined) return loadCertificate(cert, key);
  // Next to the data, like all our files; in the current folder if the data is not a file.
  const anchor =
    (source === undefined ? undefined : layoutOf(source)?.anchor) ?? join(realPath(resolve(".")), "standin");
  return selfSignedCertificate(anchor);
}

/** Notes that help to make a client trust the certificate. */
function certificateNotes({ isSelfSigned, file, sha1, sha256 }: Certificate): string[] {
  return [
    isSelfSigned ? "the certificate is self-signed, for localhost, 127.0.0.1 and ::1" : "serving with your certificate",
    ...(existsSync(file) ? [`certificate file   ${file}`] : []),
    `SHA-1 thumbprint   ${sha1}`,
    `SHA-256 thumbprint ${sha256}`,
  ];
}
