import { createClockAndRandom } from "../clock-and-random.ts";
import { type HostedOptions, resolveHostedOptions } from "../config/commands/hosted-options.ts";
import { openEdge } from "../edge.ts";
import { Hosted } from "../hosted/hosted.ts";
import { createHostedHandler } from "../hosted/hosted-handler.ts";
import { type Loaded, loadExamples } from "../hosted/load.ts";
import { privateGuard } from "../hosted/private.ts";
import { Routes } from "../hosted/routes.ts";
import type { Edge, Step } from "../http/edge.ts";
import { stopServing } from "../http/stop.ts";
import type { Reporter } from "../reporter.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { Baseline } from "./baseline.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import { followChanges, followedFile } from "./follow-changes.ts";
import { hostedHelp } from "./help.ts";
import { type HostedBannerFacts, printHostedBanner } from "./hosted-banner.ts";
import { listenBeforeReady } from "./listen.ts";
import { outliveOutput, stopOnSignal } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { outliveUserCode } from "./stray-errors.ts";
import { createReporter, createTerminal, type Terminal } from "./terminal.ts";

/** One start of hosted mode. */
interface Start {
  readonly options: HostedOptions;
  /** The file of examples; undefined for the built-in ones. */
  readonly file: string | undefined;
  readonly configFile: string | undefined;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  readonly baseline: Baseline;
}

/** `standin hosted [file]`: serves fixed examples until a signal stops it. Writes nothing. */
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
  const { options, configFile, reporter } = start;
  const certificate = await openCertificate(options);
  const { listening, ready } = await listenBeforeReady(options, certificate);
  try {
    const edgeStart = { reporter, place: configFile ?? "standin.json", settings: { jsonp: false } };
    const edge = guarded(await openEdge(options, edgeStart, createClockAndRandom()), options);
    const { loaded, routes } = await load(start);
    const served = new Hosted(routes);
    ready(await createHostedHandler(edge, served));
    const watcher = options.watch ? follow(start, edge, served) : undefined;
    stopOnSignal(reporter, async () => {
      watcher?.close();
      await stopServing(edge, listening, "process");
    });
    outliveUserCode(edge.steps, reporter);
    certificate?.keep?.();
    const notes = [...loaded.notes, ...(certificate ? certificateNotes(certificate) : [])];
    if (!options.quiet) announce(start, { url: listening.url, edge, routes, kind: loaded.kind, notes });
  } catch (thrown) {
    await listening.abort();
    throw thrown;
  }
}

async function load({ file, options }: Start): Promise<{ loaded: Loaded; routes: Routes }> {
  const loaded = await loadExamples(file, { seed: options.seed, environment: options.environment });
  return { loaded, routes: new Routes(loaded.examples, !options.noCors) };
}

function follow(start: Start, edge: Edge, hosted: Hosted): Watcher {
  const { file, configFile, options, baseline } = start;
  const reload = async (): Promise<void> => {
    hosted.routes = (await load(start)).routes;
  };
  const served = file === undefined ? undefined : followedFile({ file, edge, baseline, content: "examples", reload });
  return followChanges({ edge, routes: options.routes, configFile, served, baseline });
}

interface Announced extends Pick<HostedBannerFacts, "url" | "edge" | "routes" | "notes"> {
  /** The kind of file the examples come from. */
  readonly kind: string;
}

function announce({ options, file, terminal }: Start, { kind, notes, ...facts }: Announced): void {
  printHostedBanner(terminal, {
    ...facts,
    source: file === undefined ? kind : `${file} (${kind})`,
    isPrivate: options.private,
    notes: options.watch && file !== undefined ? [...notes, `watching ${file} for changes`] : notes,
  });
}

/**
 * Adds the check of the API key to a private mock. It runs after CORS, because preflights carry no key, and after the
 * rate limit, which slows down guessing.
 */
function guarded(edge: Edge, { private: isPrivate, apiKey = [] }: HostedOptions): Edge {
  if (!isPrivate) return edge;
  const guard: Step = { kind: "layer", name: "private", layer: privateGuard(apiKey, edge.reporter.warn) };
  const isBefore = (step: Step): boolean =>
    step.kind === "layer" && (step.name === "cors" || step.name === "rate-limit");
  const behind = edge.steps.findLastIndex(isBefore) + 1;
  return { ...edge, steps: edge.steps.toSpliced(behind, 0, guard) };
}
