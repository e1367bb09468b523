import { StandinError, StartError } from "../base/errors.ts";
import { didYouMean } from "../base/nearest.ts";
import type { OptionTable } from "../base/option.ts";
import { readIdKeys } from "../config/collections.ts";
import { DATA_OPTIONS } from "../config/command-options.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { parseParameters, readQuery } from "../query/parse-query.ts";
import { type Explanation, explainQuery } from "../store/explain-query.ts";
import { openStore } from "../store/open-store.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { sourceKind, withoutPassword } from "../store/sources/source-kind.ts";
import type { Store } from "../store/store.ts";
import { defineCommand } from "./define-command.ts";
import type { Terminal } from "./terminal.ts";

const OPTIONS = {
  source: { ...SERVE_OPTIONS.source, only: "flag", help: "Data to query; also accepted after the query" },
  ...DATA_OPTIONS,
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin explain "products?price:gte=5&_sort=name" [source]`: prints the plan, the records touched and the time. */
export const explainCommand = defineCommand({
  name: "explain",
  usage: "<query> [source]",
  summary: "show how a query runs and what it costs",
  help: [
    "standin explain <query> [source]   show how a query runs: the plan, records touched, time, indexes",
    "",
    "A running server returns the same for a request with the header Prefer: explain.",
  ],
  examples: ['standin explain "products?price:gte=5&_sort=name" db.json'],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const [address, source = options.source, ...extra] = words;
    if (address === undefined || extra.length > 0) {
      throw new StartError('explain needs a query, for example: standin explain "products?price:gte=5&_sort=name"');
    }
    refuseDocument(source, "explain");
    const [path = "", search = ""] = address.replace(/^\//, "").split("?", 2);
    const warn = (text: string): void => terminal.error(`  warning ${text}`);
    const store = await openStore(source, {
      ...readIdKeys(options),
      durability: "process",
      followsOutside: false,
      memory: sourceKind(source) !== "postgres",
      warn,
      postgres: { ...postgresSettings(options), mustExist: true },
    });
    try {
      await explainOn(store, { terminal, source: withoutPassword(source), path, search });
    } catch (thrown) {
      throw thrown instanceof StandinError ? new StartError(thrown.message) : thrown;
    } finally {
      await store.close();
    }
  },
});

interface Explained {
  readonly terminal: Terminal;
  readonly source: string;
  readonly path: string;
  readonly search: string;
}

async function explainOn(store: Store, { terminal, source, path, search }: Explained): Promise<void> {
  if (store.kindOf(path) !== "collection") {
    const names = store.members().flatMap(({ name, kind }) => (kind === "collection" ? [name] : []));
    throw new StartError(
      `${source} has no collection "${path}".${didYouMean(path, names)} It has ${names.join(", ") || "none"}.`,
    );
  }
  const query = await readQuery(store, path, parseParameters(search));
  const first = await explainQuery(store, { collection: path, query });
  // Waits for an index that the first one began to build.
  const again = await explainQuery(store, { collection: path, query });
  const unit = query.grouping ? "groups" : "records";
  const print = (title: string, explanation: Explanation): void => {
    terminal.print(terminal.style("bold", title));
    for (const line of linesOf(explanation, unit)) terminal.print(`  ${line}`);
  };
  print("The first time", first);
  print("From then on", again);
}

function linesOf(
  { plan, touched, total, milliseconds, indexes, suggestions = [] }: Explanation,
  unit: string,
): string[] {
  const matches =
    total === undefined ? [] : [total === 1 ? `1 ${unit.slice(0, -1)} matches` : `${total} ${unit} match`];
  const cost = [...matches, `${touched} touched`, `${milliseconds} ms`].join(", ");
  return [...plan, cost, ...(indexes.length > 0 ? [`indexes: ${indexes.join(", ")}`] : []), ...suggestions];
}
