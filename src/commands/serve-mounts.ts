import { openService } from "../app/open-service.ts";
import type { Reporter } from "../base/reporter.ts";
import { withDefaults } from "../config/defaults.ts";
import type { MountedSource } from "../config/mounts.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../config/options.ts";
import type { Resolved } from "../config/resolve.ts";
import { readBase } from "../http/base-path.ts";
import type { Service } from "../http/contract.ts";
import { createMountsResponder } from "../http/routes/mounts-responder.ts";
import { openStore } from "../store/open-store.ts";
import { type BannerLine, networkAddresses, printStart } from "./banner.ts";
import { keysHint } from "./keys.ts";
import { runService, type Serving } from "./run-service.ts";
import { createStart, type DataStart, expectReadable, openingOf, startNotes } from "./served-data.ts";
import { createReporter, printable, type Terminal } from "./terminal.ts";

interface Mount {
  readonly name: string;
  readonly start: DataStart;
}

/** Several sources in the config file: serves each below a path of its own, and a list of them in front. */
export async function serveMounts(
  { options, warnings, configFile }: Resolved<ServeOptions>,
  sources: readonly MountedSource[],
  terminal: Terminal,
): Promise<Serving> {
  const reporter = createReporter(terminal, options.quiet);
  for (const warning of warnings) reporter.warn(warning);
  const mounts: Mount[] = [];
  for (const { name, options: own } of sources) {
    // One of them is enough to follow the config file.
    const file = mounts.length === 0 ? configFile : undefined;
    const given = { configFile: file, terminal, reporter: naming(name, reporter) };
    mounts.push({ name, start: await createStart(own, given) });
  }
  const notes: string[] = [];
  const { source: _, ...ofServer } = options;
  return runService({
    options: { ...ofServer, middlewares: sources.flatMap((one) => one.options.middlewares ?? []) },
    terminal,
    reporter,
    notes,
    lookForProblems: async () => {
      for (const { start } of mounts) await expectReadable(start.options);
    },
    services: [{ open: () => openList(options, mounts, reporter) }, ...mounts.map(({ start }) => openingOf(start))],
    announce: ([, ...services], url) => {
      const hint = keysHint();
      if (hint) notes.push(hint);
      printMounts(terminal, { url, network: networkAddresses(options.host, url), mounts, services, notes });
    },
  });
}

/** The service in front, which only says what there is. */
function openList(options: ServeOptions, mounts: readonly Mount[], reporter: Reporter): Promise<Service> {
  const { host, allowedHosts, noCors, noGzip, pretty, trustProxy } = options;
  const same = { host, allowedHosts, noCors, noGzip, pretty, trustProxy, base: readBase(options.base) };
  const listed = mounts.map(({ name, start }) => ({ name, hasConsole: !start.options.noConsole }));
  return openService(withDefaults(SERVE_OPTIONS, { ...same, memory: true, noConsole: true }), {
    reporter,
    place: "standin.json",
    responder: createMountsResponder(listed),
    openData: (given) => openStore({}, given),
    features: [],
  });
}

interface MountsBanner {
  readonly url: string;
  readonly network: readonly string[];
  readonly mounts: readonly Mount[];
  /** One for each mount. */
  readonly services: readonly Service[];
  readonly notes: readonly string[];
}

function printMounts(terminal: Terminal, { url, network, mounts, services, notes }: MountsBanner): void {
  const lines: string[] = [];
  const said: BannerLine[] = [];
  const width = Math.max(...mounts.map(({ name }) => name.length));
  for (const [at, { name, start }] of mounts.entries()) {
    const service = services[at];
    if (!service) continue;
    const address = `${url}/${name}`;
    const { length } = service.store.members();
    const amount = `${length} ${length === 1 ? "collection" : "collections"}`;
    lines.push(`  ${name.padEnd(width)}  ${amount.padStart(14)}  ${terminal.style("cyan", address)}`);
    if (service.settings.console) said.push(["Console", `${address}/__console`]);
    said.push(["Saved to", printable(service.store.place)]);
    for (const note of startNotes(start, service)) said.push(["Note", `${name}: ${note}`]);
  }
  said.push(...notes.map((note): BannerLine => ["Note", note]));
  printStart(terminal, { url, network, steps: [], rewrites: {} }, { lines, said });
}

/** Messages say which mount they are about. */
function naming(name: string, reporter: Reporter): Reporter {
  return {
    ...reporter,
    note: (text) => reporter.note(`${name}: ${text}`),
    done: (text) => reporter.done(`${name}: ${text}`),
    warn: (text) => reporter.warn(`${name}: ${text}`),
    fault: (text, thrown) => reporter.fault(`${name}: ${text}`, thrown),
  };
}
