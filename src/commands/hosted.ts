import { createClockAndRandom } from "../clock-and-random.ts";
import type { HostedOptions } from "../config/options.ts";
import { resolveHostedOptions } from "../config/resolve.ts";
import { openEdge } from "../edge.ts";
import { Hosted } from "../hosted/hosted.ts";
import { createHostedHandler } from "../hosted/hosted-handler.ts";
import { type Loaded, loadExamples } from "../hosted/load.ts";
import { privateGuard } from "../hosted/private.ts";
import { Routes } from "../hosted/routes.ts";
import type { Edge, Step } from "../http/edge.ts";
import { stopServing } from "../http/stop.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import { Baseline, followChanges, followedFile } from "./follow-changes.ts";
import { hostedHelp } from "./help.ts";
import { printHostedBanner } from "./hosted-banner.ts";
import { listenBeforeReady } from "./listen.ts";
import { outliveOutput, stopOnSignal } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { outliveInterceptors } from "./stray-errors.ts";
import { createReporter, createTerminal } from "./terminal.ts";

/** `standin hosted [file]`: answers from fixed examples until a signal ends it. Writes nothing. */
export async function hosted(argv: readonly string[]): Promise<void> {
  if (argv[0] === "export") return (await import("./hosted-export.ts")).hostedExport(argv.slice(1));
  outliveOutput();
  const terminal = createTerminal();
  const { options: resolved, warnings, configFile, file } = resolveHostedOptions(argv, process.cwd());
  const options = { ...resolved, static: staticFolder(resolved.static) };
  if (options.help) return terminal.print(hostedHelp());
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);
  const baseline = new Baseline(
    options.watch ? [configFile, options.routes, file, ...(options.middlewares ?? [])] : [],
  );

  const certificate = await openCertificate(options);
  const { listening, ready } = await listenBeforeReady(options, certificate);
  try {
    const start = { reporter, place: configFile ?? "standin.json", settings: { jsonp: false } };
    const edge = guarded(await openEdge(options, start, createClockAndRandom()), options);
    const load = async (): Promise<{ loaded: Loaded; routes: Routes }> => {
      const loaded = await loadExamples(file, { seed: options.seed });
      return { loaded, routes: new Routes(loaded.examples, !options.noCors) };
    };
    const { loaded, routes } = await load();
    const served = new Hosted(routes);
    ready(await createHostedHandler(edge, served));
    const examples =
      file === undefined
        ? undefined
        : followedFile(file, edge, baseline, async () => {
            served.routes = (await load()).routes;
          });
    const watcher = options.watch ? followChanges(edge, options.routes, configFile, examples, baseline) : undefined;
    stopOnSignal(reporter, async () => {
      watcher?.close();
      await stopServing(edge, listening, "process");
    });
    outliveInterceptors(edge.steps, reporter);
    certificate?.keep?.();
    if (options.quiet) return;
    const notes = [...loaded.notes, ...(certificate ? certificateNotes(certificate) : [])];
    if (options.watch && file !== undefined) notes.push(`watching ${file} for changes`);
    const source = file === undefined ? loaded.kind : `${file} (${loaded.kind})`;
    printHostedBanner(terminal, { url: listening.url, routes, source, isPrivate: options.private, edge, notes });
  } catch (thrown) {
    await listening.abort();
    throw thrown;
  }
}

/**
 * A private mock looks at the key first: right behind the layer that answers preflights, which cannot have one, and the
 * one that limits how many keys can be guessed.
 */
function guarded(edge: Edge, { private: isPrivate, apiKey = [] }: HostedOptions): Edge {
  if (!isPrivate) return edge;
  const guard: Step = { kind: "layer", name: "private", layer: privateGuard(apiKey, edge.reporter.warn) };
  const isBefore = (step: Step): boolean =>
    step.kind === "layer" && (step.name === "cors" || step.name === "rate-limit");
  const behind = edge.steps.findLastIndex(isBefore) + 1;
  return { ...edge, steps: edge.steps.toSpliced(behind, 0, guard) };
}
