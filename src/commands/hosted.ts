import { resolve } from "node:path";
import { Baseline } from "./baseline.ts";
import { defineCommand } from "./define-command.ts";
import { followChanges } from "./follow-changes.ts";
import { printHostedBanner } from "./hosted-banner.ts";
import { HOSTED_OPTIONS, resolveHostedOptions } from "./hosted-options.ts";
import { openHostedService, openHostedSource } from "./hosted-server.ts";
import { networkAddresses } from "./network-addresses.ts";
import { runService } from "./run-service.ts";
import { outliveOutput } from "./signals.ts";
import { staticFolder } from "./static-folder.ts";
import { createReporter } from "./terminal.ts";

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
    const { routes, environment, middlewares = [], plugins = [], watch } = options;
    const watched = [configFile, routes, file, environment, ...middlewares, ...plugins.map((one) => resolve(one))];
    const baseline = new Baseline(watch ? watched : []);
    // The examples come before the port: what is wrong with them is the first problem to solve.
    const source = await openHostedSource(file, options, reporter);
    const notes: string[] = [];
    const note = (text: string): unknown => notes.push(text);
    await runService({
      options,
      terminal,
      reporter,
      notes,
      open: () => openHostedService(source.mocks, { options, configFile, reporter, note }),
      follow: (edge) => followChanges({ edge, routes, configFile, served: source.follow(edge, baseline), baseline }),
      announce: (service, { url }) => {
        if (watch && file !== undefined) note(`watching ${file} for changes`);
        const network = networkAddresses(options.host, url);
        printHostedBanner(terminal, { url, network, service, mocks: source.mocks, notes });
      },
    });
  },
});
