import type { Edge } from "../http/edge.ts";
import { stopServing } from "../http/node/stop.ts";
import type { Watcher } from "../store/file/watch-folders.ts";
import { Baseline } from "./baseline.ts";
import { certificateNotes, openCertificate } from "./certificates.ts";
import { defineCommand } from "./define-command.ts";
import { followChanges } from "./follow-changes.ts";
import { printHostedBanner } from "./hosted-banner.ts";
import { HOSTED_OPTIONS, resolveHostedOptions } from "./hosted-options.ts";
import { type HostedStart, openHostedServer } from "./hosted-server.ts";
import type { HostedSource } from "./hosted-sources.ts";
import { listenBeforeReady } from "./listen.ts";
import { networkAddresses } from "./network-addresses.ts";
import { outliveOutput, stopOnSignal } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { outliveUserCode } from "./stray-errors.ts";
import { createReporter, type Terminal } from "./terminal.ts";

/** One start of hosted mode. */
interface Start extends HostedStart {
  readonly terminal: Terminal;
  readonly baseline: Baseline;
}

/** `standin hosted [file or folder]`: serves fixed examples until a signal stops it. Writes nothing. */
export const hostedCommand = defineCommand({
  name: "hosted",
  usage: "[file]",
  summary: "serve fixed examples: Postman, OpenAPI, or built in",
  help: [
    "standin hosted [file] [options]     serve fixed examples, and store nothing",
    "standin hosted <folder> [options]   serve every file of a folder under its own name",
    "standin hosted export               write such a file from data; see standin hosted export --help",
    "",
    "The file is one of",
    "  shop.postman_collection.json   a Postman collection with saved examples",
    "  openapi.yaml, .json            an OpenAPI document",
    "  examples.json                  a list of examples in standin's own format",
    "Without a file, standin serves built-in examples of products and companies.",
  ],
  examples: [
    "standin hosted openapi.yaml --watch",
    "standin hosted mocks/",
    "standin hosted shop.postman_collection.json --private --api-key my-secret-key",
  ],
  options: HOSTED_OPTIONS,
  reference: {
    note:
      "The file is a Postman collection, an OpenAPI document or a list of examples. The config file is read as well, except\n" +
      "for keys that concern data.",
  },
  resolve: resolveHostedOptions,
  async run({ options: resolved, warnings, configFile, file, terminal }) {
    outliveOutput();
    const options = { ...resolved, static: staticFolder(resolved.static) };
    const reporter = createReporter(terminal, options.quiet);
    for (const warning of warnings) reporter.warn(warning);
    const watched = options.watch
      ? [configFile, options.routes, file, options.environment, ...(options.middlewares ?? [])]
      : [];
    await serveExamples({ options, file, configFile, terminal, reporter, baseline: new Baseline(watched) });
  },
});

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
