import { resolveHostedOptions } from "../config/commands/hosted-options.ts";
import type { Edge } from "../http/edge.ts";
import { stopServing } from "../http/stop.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { Baseline } from "./baseline.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import { followChanges } from "./follow-changes.ts";
import { hostedHelp } from "./help.ts";
import { printHostedBanner } from "./hosted-banner.ts";
import { type HostedStart, openHostedServer } from "./hosted-server.ts";
import type { HostedSource } from "./hosted-sources.ts";
import { listenBeforeReady } from "./listen.ts";
import { networkAddresses } from "./network-addresses.ts";
import { outliveOutput, stopOnSignal } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { outliveUserCode } from "./stray-errors.ts";
import { createReporter, createTerminal, type Terminal } from "./terminal.ts";

/** One start of hosted mode. */
interface Start extends HostedStart {
  readonly terminal: Terminal;
  readonly baseline: Baseline;
}

/** `standin hosted [file or folder]`: serves fixed examples until a signal stops it. Writes nothing. */
export async function hosted(argv: readonly string[]): Promise<void> {
  if (argv[0] === "export") return (await import("./hosted-export.ts")).hostedExport(argv.slice(1));
  outliveOutput();
  const terminal = createTerminal();
  const { options: resolved, warnings, configFile, file } = resolveHostedOptions(argv, process.cwd());
  const options = { ...resolved, static: staticFolder(resolved.static) };
  if (options.help) return terminal.print(hostedHelp());
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);
  const watched = options.watch
    ? [configFile, options.routes, file, options.environment, ...(options.middlewares ?? [])]
    : [];
  await serveExamples({ options, file, configFile, terminal, reporter, baseline: new Baseline(watched) });
}

async function serveExamples(start: Start): Promise<void> {
  const { options, file, reporter } = start;
  const certificate = await openCertificate(options);
  if (certificate?.warning) reporter.warn(certificate.warning);
  const { listening, ready } = await listenBeforeReady({ ...options, terminal: start.terminal, certificate });
  try {
    const { edge, source, handler, stopStreams } = await openHostedServer(start);
    ready(handler);
    const watcher = options.watch ? follow(start, edge, source) : undefined;
    stopOnSignal(reporter, async () => {
      watcher?.close();
      stopStreams();
      await stopServing(edge, listening, "process");
    });
    outliveUserCode(edge.steps, reporter);
    certificate?.keep?.();
    if (options.quiet) return;
    const notes = [
      ...(certificate ? certificateNotes(certificate) : []),
      ...(options.watch && file !== undefined ? [`watching ${file} for changes`] : []),
    ];
    const { mocks } = source;
    const { url } = listening;
    const network = networkAddresses(options.host, url);
    printHostedBanner(start.terminal, { url, network, edge, mocks, hasPage: !options.noConsole, notes });
  } catch (thrown) {
    await listening.abort();
    throw thrown;
  }
}

function follow({ configFile, options, baseline }: Start, edge: Edge, source: HostedSource): Watcher {
  return followChanges({ edge, routes: options.routes, configFile, served: source.follow(edge, baseline), baseline });
}
