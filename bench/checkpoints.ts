import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DataFiles } from "./data.ts";
import { putLoadOn, type Sample } from "./load.ts";
import { type Plan, say } from "./plan.ts";
import { newProducts, oneOf } from "./requests.ts";
import { type Running, startServer } from "./servers.ts";
import { percentile } from "./statistics.ts";

const PRODUCTS = 1_000_000;
const SECONDS = 27;
/** One write each: the next checkpoint follows. */
const WRITE_EVERY_MS = 6000;
const LOOK_EVERY_MS = 10;

export interface CheckpointFigures {
  readonly checkpoints: number;
  readonly seconds: number;
  readonly p99DuringMs: number;
  readonly p99OtherwiseMs: number;
  readonly megabytesBefore: number;
  readonly megabytesDuring: number;
}

/** Reads under load, with a checkpoint of a large file now and then: what the reads notice of it. */
export async function measureCheckpoints(files: DataFiles, plan: Plan): Promise<CheckpointFigures> {
  const server = await startServer("standin", files.generated({ products: PRODUCTS, companies: 100 }));
  const requests = oneOf(PRODUCTS);
  const load = { url: server.url, connections: plan.connections, requests };
  try {
    await putLoadOn({ ...load, warmUpSeconds: 0, seconds: plan.warmUpSeconds });
    const watch = new Watch(server);
    const writing = setInterval(() => void write(server.url), WRITE_EVERY_MS);
    const { samples = [] } = await putLoadOn({ ...load, warmUpSeconds: 0, seconds: SECONDS, keepsSamples: true });
    clearInterval(writing);
    watch.end();
    return figuresOf(watch, samples);
  } finally {
    await server.stop();
  }
}

function figuresOf({ spans, megabytesBefore, megabytesDuring }: Watch, samples: readonly Sample[]): CheckpointFigures {
  const isDuring = ({ endedAt, milliseconds }: Sample): boolean =>
    spans.some(([from, to]) => endedAt >= from && endedAt - milliseconds <= to);
  const during = samples.filter(isDuring).map(({ milliseconds }) => milliseconds);
  const otherwise = samples.filter((sample) => !isDuring(sample)).map(({ milliseconds }) => milliseconds);
  const figures = {
    checkpoints: spans.length,
    seconds: spans.reduce((sum, [from, to]) => sum + to - from, 0) / 1000,
    p99DuringMs: percentile(during, 0.99),
    p99OtherwiseMs: percentile(otherwise, 0.99),
    megabytesBefore,
    megabytesDuring,
  };
  say(`checkpoints: ${JSON.stringify(figures)}`);
  return figures;
}

async function write(url: string): Promise<void> {
  const { path, ...rest } = newProducts(100)[0]!;
  await (await fetch(`${url}${path}`, rest)).arrayBuffer();
}

/** Looks for the file that a checkpoint makes beside the data file, and at the memory meanwhile. */
class Watch {
  readonly spans: [from: number, to: number][] = [];
  readonly megabytesBefore: number;
  megabytesDuring = 0;
  readonly #server: Running;
  readonly #timer: NodeJS.Timeout;
  #since: number | undefined;

  constructor(server: Running) {
    this.#server = server;
    this.megabytesBefore = server.megabytes();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#since !== undefined) this.spans.push([this.#since, Date.now()]);
  }

  #look(): void {
    const isRunning = readdirSync(dirname(this.#server.file)).some((name) => name.endsWith(".tmp"));
    if (isRunning) {
      this.#since ??= Date.now() - LOOK_EVERY_MS;
      this.megabytesDuring = Math.max(this.megabytesDuring, this.#server.megabytes());
    } else if (this.#since !== undefined) {
      this.spans.push([this.#since, Date.now()]);
      this.#since = undefined;
    }
  }
}
