import { Clock, readClock } from "../base/clock.ts";
import { Clocks } from "../base/clocks.ts";
import { StandinError } from "../base/errors.ts";
import { andThen, type Eventually } from "../base/eventually.ts";
import { createLayerRandom } from "../base/random.ts";
import { idKeysIn, readCollections } from "../config/collections.ts";
import type { ServeOptions } from "../config/options.ts";
import { postgresSettings } from "../config/postgres.ts";
import { createMerge, nameMistakes, readRelations, relationMistakes } from "../config/relations.ts";
import type { DataOpening, Feature, FeatureStart } from "../features/feature.ts";
import { FEATURES } from "../features/list.ts";
import type { Call } from "../http/call.ts";
import { firstOf } from "../http/compose-hooks.ts";
import type { Offering, OpenFeature, Responder, Service } from "../http/contract.ts";
import type { Edge } from "../http/edge.ts";
import { readAllowedHosts } from "../http/own-routes.ts";
import { CORE_ROUTES } from "../http/router.ts";
import type { SettingsByCollection } from "../store/collection-settings.ts";
import { createCompletions } from "../store/completion.ts";
import type { DeclaredRelations } from "../store/declared-relations.ts";
import { isSharedSource, type OpenOptions, openStore } from "../store/open-store.ts";
import type { RecordRules } from "../store/record-rules.ts";
import type { Store } from "../store/store.ts";
import { type EdgeStart, openEdge } from "./open-edge.ts";

/** Beside the options of the table: where they come from, and objects that only programs can hand over. */
export interface ServiceStart extends EdgeStart {
  /** In place of the option: programs may give a clock of their own. */
  readonly clock?: Date | (() => number) | undefined;
  /** Opens the data in place of `options.source`. */
  readonly openData?: (options: OpenOptions, now: () => number) => Eventually<Store>;
  /** Tells the person who starts the server something worth knowing. */
  readonly note?: (text: string) => void;
  /** Objects in place of options that are texts, by the option's name; features know what to do with them. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Responds in place of the data. */
  readonly responder?: Responder;
  /** The features there are; all of them unless given. */
  readonly features?: readonly Feature[];
}

type OpenedFeature = OpenFeature & { readonly offer?: unknown };

/**
 * The composition root: builds a service from the options of the table. The command line, `createStandin` and the
 * json-server module all come here. A start that fails leaves nothing open.
 */
export async function openService(options: ServeOptions, start: ServiceStart): Promise<Service> {
  const { reporter, place, note = () => {}, responder } = start;
  const features: readonly Feature[] = (start.features ?? FEATURES).filter(
    ({ needsData }) => !(responder && needsData),
  );
  const isShared = isSharedSource(options);
  const source = options.memory ? undefined : options.source;
  const featureStart: FeatureStart = { place, isShared, note, source, given: start.given ?? {} };
  // Everything that can be wrong is checked before the data is opened and locked.
  const clocks = new Clocks(new Clock(readClock(start.clock ?? options.clock)));
  const now = (): number => clocks.now();
  const postgres = postgresSettings(options, place);
  const collections = readCollections(options.collections, options.id, place);
  const relations = readRelations(options.relations, place);
  const allowedHosts = readAllowedHosts(options.host, options.allowedHosts);
  const on = features.filter((feature) => feature.isOn?.(options, featureStart) ?? true);
  const checked = new Map<Feature, unknown>();
  for (const feature of on) checked.set(feature, await feature.check?.(options, featureStart));
  let opened: Store | undefined;
  let declared: DeclaredRelations | undefined;
  const edge = await openEdge(options, start, {
    now,
    random: createLayerRandom(options.seed),
    countTogether: isShared
      ? async (key, windowSeconds) => {
          const at = clocks.main.kind === "real" ? undefined : clocks.now();
          return (await opened?.countRequest?.(key, windowSeconds, at)) ?? 0;
        }
      : undefined,
  });
  const asGiven: DataOpening = {
    now,
    clock: clocks,
    options: {
      ...idKeysIn(options.id, collections),
      durability: options.durability === "disk" ? "disk" : "process",
      followsOutside: options.watch,
      memory: options.memory,
      warn: reporter.warn,
      postgres,
      tables: options.tables,
      seed: options.seed,
      completions: createCompletions(collections, { now, seed: options.seed }),
    },
    open: (given) =>
      andThen(start.openData?.(given, now) ?? openStore(options.source, given), (found) => {
        for (const text of found.notes ?? []) note(text);
        declared = found.declared;
        return found;
      }),
  };
  const data = on.reduce((before, one) => one.prepare?.(before, checked.get(one), edge.steps) ?? before, asGiven);
  const store = await data.open(data.options);
  opened = store;
  const names = store.members().map(({ name }) => name);
  const mistakes = [...relationMistakes(relations, names), ...nameMistakes("collections", collections.keys(), names)];
  for (const mistake of mistakes) reporter.warn(mistake);
  const service = createService(edge, store, {
    options,
    responder,
    allowedHosts,
    collections,
    relations: declared ? createMerge(relations)(declared) : relations,
    rules: data.options.rules,
    clocks,
    on,
  });
  const opening = service.features as OpenedFeature[];
  try {
    for (const feature of features) {
      const context = { ...featureStart, options, service, seed: options.seed, checked: checked.get(feature) };
      if (on.includes(feature)) opening.push(await feature.open(context));
      else if (feature.guard) opening.push(feature.guard);
    }
    return service;
  } catch (thrown) {
    await abandonService(service);
    throw thrown;
  }
}

/** Tells a service the address at which it is reached. */
export function announceAddress({ features, store }: Service, address: string): void {
  for (const feature of features) feature.announce?.(address);
  store.announceAddress(address);
}

/** Ends a service that no request can reach any more: its features, the last one first, then its data. */
export async function closeService({ features, store }: Service): Promise<void> {
  for (const feature of features.toReversed()) await feature.close?.();
  await store.close();
}

/** Ends a service that has no server of its own: first delays and streams, then the rest. */
export async function endService(service: Service): Promise<void> {
  service.waits.stop();
  for (const feature of service.features) feature.stop?.();
  await closeService(service);
}

/** Ends a service whose start has failed. Why it failed is what counts, so this never rejects. */
export async function abandonService(service: Service): Promise<void> {
  await endService(service).catch(() => undefined);
}

interface ServiceFacts {
  readonly options: ServeOptions;
  readonly responder: Responder | undefined;
  readonly allowedHosts: readonly string[];
  readonly collections: SettingsByCollection;
  readonly relations: DeclaredRelations;
  readonly rules: RecordRules | undefined;
  readonly clocks: Clocks;
  readonly on: readonly Feature[];
}

function createService(edge: Edge, store: Store, facts: ServiceFacts): Service {
  const { options, responder, allowedHosts, collections, relations, rules, clocks, on } = facts;
  const now = (): number => clocks.now();
  const features: OpenedFeature[] = [];
  const merge = createMerge(relations);
  return {
    ...edge,
    settings: {
      ...edge.settings,
      foreignKeySuffix: options.foreignKeySuffix,
      // Rules can be exchanged.
      get relations() {
        return merge(rules?.declared);
      },
      readOnly: options.readOnly,
      queryBudgetMs: options.queryBudget,
      allowedHosts,
      console: !options.noConsole,
      bodies: {
        read: (call) => firstOf(features.flatMap(({ readBody }) => readBody ?? []))?.(call as Call),
        admit: (call, body) =>
          firstOf(features.flatMap(({ admitFiles }) => admitFiles ?? []))?.(call as Call, body) ?? body,
      },
    },
    store,
    responder,
    startedAt: now(),
    now,
    clocks,
    seed: options.seed,
    collections,
    rules,
    features,
    reservedNames: RESERVED_NAMES,
    refusals: refusalsOf(FEATURES.filter((feature) => !on.includes(feature))),
    offer: <T>({ name }: Offering<T>) => features.find((feature) => feature.name === name)?.offer as T | undefined,
  };
}

const RESERVED_NAMES: readonly string[] = [
  ...CORE_ROUTES.flatMap(({ path, yields }) => (yields ? [] : [path.slice(1)])),
  ...FEATURES.flatMap(({ reserves = [] }) => reserves),
];

function refusalsOf(off: readonly Feature[]): ReadonlyMap<string, () => Error> {
  return new Map(
    off.flatMap(({ reserves = [], off: refusal }) =>
      refusal ? reserves.map((name) => [name, () => new StandinError(refusal.code, refusal.message)] as const) : [],
    ),
  );
}
