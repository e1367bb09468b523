import { Baseline } from "../app/baseline.ts";
import { baselineOf, followChanges } from "../app/follow-changes.ts";
import { startFilesOf } from "../config/env-file.ts";
import { type Mock, type Mocks, shownEndpoints } from "../hosted/mocks.ts";
import type { Service } from "../http/contract.ts";
import { type BannerFacts, type BannerLine, MAX_LISTED, networkAddresses, printStart } from "./banner.ts";
import { defineCommand } from "./define-command.ts";
import { HOSTED_OPTIONS, resolveHostedOptions } from "./hosted-options.ts";
import { openHostedService, openHostedSource } from "./hosted-server.ts";
import { runService } from "./run-service.ts";
import { outliveOutput } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { createReporter, printable, type Terminal } from "./terminal.ts";

interface HostedBannerFacts extends Pick<BannerFacts, "url" | "network" | "notes"> {
  readonly mocks: Mocks;
  readonly service: Service;
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
    const { routes, environment, watch } = options;
    const startFiles = startFilesOf(configFile);
    const baseline = watch
      ? baselineOf({ ...options, rules: undefined }, [...startFiles, file, environment])
      : new Baseline();
    // The examples come before the port: what is wrong with them is the first problem to solve.
    const source = await openHostedSource(file, options, reporter);
    const notes: string[] = [];
    const note = (text: string): unknown => notes.push(text);
    await runService({
      options,
      terminal,
      reporter,
      notes,
      services: [
        {
          open: () => openHostedService(source.mocks, { options, configFile, reporter, note }),
          ...(watch && {
            follow: (edge: Service) =>
              followChanges({ edge, routes, startFiles, served: source.follow(edge, baseline), baseline }),
          }),
        },
      ],
      announce: ([service], url) => {
        if (!service) return;
        if (watch && file !== undefined) note(`watching ${file} for changes`);
        const network = networkAddresses(options.host, url);
        printHostedBanner(terminal, { url, network, service, mocks: source.mocks, notes });
      },
    });
  },
});

/** Prints the banner of hosted mode: the address, and each route, or each mock of a folder. */
function printHostedBanner(terminal: Terminal, facts: HostedBannerFacts): void {
  const { url, network, mocks, service, notes } = facts;
  const { only } = mocks;
  const said: BannerLine[] = [
    ...(only ? factsOf(only) : mocks.skipped.map((text): BannerLine => ["Skipped", text])),
    ...(service.settings.console && !only ? [["Overview", `${url}/`] as const] : []),
    ...[...(only?.notes ?? []), ...notes].map((note): BannerLine => ["Note", note]),
  ];
  const lines = only ? routeLines(only) : mockLines(terminal, mocks.list);
  const { steps, rewriter } = service;
  const printed = said.map(([label, text]): BannerLine => [label, printable(text)]);
  printStart(terminal, { url, network, steps, rewrites: rewriter.rewrites }, { lines, said: printed });
}

function factsOf({ source, keys }: Mock): BannerLine[] {
  return [
    ["Examples", source],
    ["Access", keys ? "private, requires X-Api-Key" : "public"],
  ];
}

function routeLines({ hosted }: Mock): string[] {
  const endpoints = shownEndpoints(hosted.routes.endpoints);
  const listed = endpoints.slice(0, MAX_LISTED);
  const width = Math.max(0, ...listed.map(({ path }) => path.text.length));
  const lines = listed.map(
    ({ method, path, examples }) =>
      `  ${method.padEnd(7)} ${printable(path.text).padEnd(width)}  ${counted(examples.length, "example")}`,
  );
  const more = endpoints.length - listed.length;
  return more > 0 ? [...lines, `  and ${more} more routes`] : lines;
}

function mockLines({ style }: Terminal, mocks: readonly Mock[]): string[] {
  if (mocks.length === 0) return ["  The folder has no mocks."];
  const listed = mocks.slice(0, MAX_LISTED);
  const width = Math.max(...listed.map(({ name }) => name.length));
  const lines = listed.map(({ name, source, keys, problem, hosted }) => {
    const start = `  /${printable(name).padEnd(width)}  `;
    if (problem !== undefined) return `${start}${style("yellow", "not served")}  ${printable(problem)}`;
    const routes = counted(shownEndpoints(hosted.routes.endpoints).length, "route");
    return `${start}${routes.padEnd(10)}  ${keys ? "private" : "public "}  ${printable(source)}`;
  });
  const more = mocks.length - listed.length;
  return more > 0 ? [...lines, `  and ${more} more mocks`] : lines;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
