import { existsSync } from "node:fs";
import type { StandinError } from "../../base/errors.ts";
import { writeAtomically } from "../../base/files/atomic-write.ts";
import { type JsonObject, stringifyJson } from "../../base/json/json.ts";
import type { Reporter } from "../../base/reporter.ts";
import type { Call } from "../../http/call.ts";
import type { OpenFeature } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { bindDocument } from "../../openapi/bind/bind-document.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import type { BindOverrides } from "../../openapi/bind/config/overrides.ts";
import { RECORDED_REASONS } from "../../openapi/bind/config/own-bindings.ts";
import { declaredResponse } from "../../openapi/check/declared-response.ts";
import { loadApiDocument } from "../../openapi/read/load-api-document.ts";
import type { Completion, Completions } from "../../store/completion.ts";
import { IdKeys } from "../../store/id-keys.ts";
import { noJournal } from "../../store/memory/live-data.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { State } from "../../store/memory/state.ts";
import type { OpenOptions } from "../../store/open-store.ts";
import { sourceKind } from "../../store/sources/source-kind.ts";
import type { Store } from "../../store/store.ts";
import type { DataOpening } from "../feature.ts";
import { Api } from "./api.ts";
import { createOperationContext } from "./create-operation-context.ts";
import { documentMark } from "./document-mark.ts";
import { withOwnElements } from "./embedded/embedded-records.ts";
import { basePathOf, listAddress, listPath } from "./lists/list-address.ts";
import { once } from "./once.ts";
import type { OperationContext } from "./operation-context.ts";
import { hiddenFields } from "./responses/presentation.ts";
import { renderError } from "./responses/render-error.ts";
import { ResponseWatch } from "./responses/response-watch.ts";
import { withCommonParents } from "./seeds/common-parents.ts";
import { type FilledStore, fillStore, type MakeRecords } from "./seeds/fill-store.ts";
import { idFormOf } from "./seeds/id-form.ts";
import { createRecordFields, type RecordFields } from "./seeds/record-fields.ts";
import { recordsInExamples } from "./seeds/recorded-examples.ts";
import { createSampling, remembering } from "./seeds/sampling.ts";
import { createSeed } from "./seeds/seed.ts";
import { isMany } from "./seeds/seed-options.ts";
import { type FormRules, rulesForForms } from "./writes/form-fields.ts";
import { createNewIds } from "./writes/ids-of-new.ts";
import { creatableFields } from "./writes/record-mapping.ts";

/** For the banner: where writes go without `--data`. */
const MEMORY_PLACE = "memory only; --data <source> keeps writes";

export interface LivingOptions {
  readonly file: string;
  readonly source: string;
  readonly memory: boolean;
  /** Whether a program has handed over the data itself. */
  readonly hasData: boolean;
  readonly validate: string;
  readonly validateSecurity: boolean;
  readonly allowOutsideRefs: boolean;
  readonly bind: BindOverrides;
  readonly seed: number;
}

/** One version of the document, and everything made from it. */
interface Version {
  readonly api: Api;
  readonly tools: OperationContext;
  readonly fields: ReadonlyMap<string, RecordFields>;
  readonly formRules: () => Readonly<Record<string, FormRules>>;
}

/** A document that is served from a store. Its version is exchanged as a whole when the document is reloaded. */
export class ServedDocument {
  readonly #options: LivingOptions;
  #version!: Version;
  readonly watch: ResponseWatch;
  /** Set once the service is there. */
  reporter: Reporter | undefined;
  now: () => number = Date.now;
  filled: FilledStore = { names: [] };

  private constructor(options: LivingOptions) {
    this.#options = options;
    this.watch = new ResponseWatch(() => this.reporter);
  }

  static async load(options: LivingOptions): Promise<ServedDocument> {
    const served = new ServedDocument(options);
    await served.reload();
    return served;
  }

  get api(): Api {
    return this.#version.api;
  }

  readonly claim: NonNullable<OpenFeature["claim"]> = (segments, call) => this.#version.api.claim(segments, call);

  readonly renderError = (call: Call, error: StandinError): Reply | undefined =>
    renderError(this.#version, call, error);

  /** Whether the document has a response of this status for the requested operation. */
  readonly hasResponse = (call: Call, status: number): boolean => {
    const operation = this.api.operationFor(call);
    return operation !== undefined && declaredResponse(operation, status) !== undefined;
  };

  get file(): string {
    return this.#options.file;
  }

  /** The path of a collection's list in the document; undefined where the document has none. */
  pathOf(collection: string): string | undefined {
    return listPath(this.api, collection);
  }

  /** An address that lists a collection; undefined where there is none. */
  addressOf(collection: string): string | undefined {
    return listAddress(this.#version, collection);
  }

  /** The address of the document's operations on this server: `/v2`. */
  get basePath(): string {
    return basePathOf(this.api);
  }

  /** The rules that forms are to keep, by collection. The operations judge requests; the data's own routes do not. */
  get formRules(): Readonly<Record<string, FormRules>> {
    return this.#version.formRules();
  }

  /** The document, with this server in place of its own. */
  describe(origin: string): JsonObject {
    const { root, basePaths } = this.api.document;
    return { ...root, servers: (basePaths.length > 0 ? basePaths : [""]).map((path) => ({ url: `${origin}${path}` })) };
  }

  /** One line about what is served. */
  get summary(): string {
    const { document, bindings } = this.api;
    const { collections, unbound } = bindings;
    const bound = collections.reduce((sum, { operations }) => sum + operations.length, 0);
    const title = document.title === "" ? "" : ` (${document.title})`;
    return `${this.file}${title}: ${bound} operations on data, ${unbound.length} from examples`;
  }

  /** Rejects when the document cannot be used; the old version stays then. */
  async reload(): Promise<void> {
    const document = await loadApiDocument(this.#options.file, this.#options.allowOutsideRefs);
    const { bind, seed } = this.#options;
    const { references } = document;
    const found = bindDocument(document, bind);
    const sampling = createSampling(document, seed);
    const collections = withCommonParents(found.collections, { references, ...sampling });
    const bindings = { ...found, collections };
    const fields = new Map<string, RecordFields>();
    const keys = new Map(collections.map((one) => [one.name, once(() => this.#idsOf(one))]));
    // Throws where the config gives ids a form that they cannot have.
    for (const one of collections) if (bind.collections.has(one.name)) idFormOf({ references, overrides: bind }, one);
    const tools = createOperationContext(document, this.#options, {
      ...sampling,
      collections,
      watch: this.watch,
      mark: documentMark(document, { bind, seed }),
      now: () => this.now(),
      writable: (collection, body, own) => fields.get(collection)?.writable(body, own) ?? body,
      made: (collection, sent) => fields.get(collection)?.made(sent) ?? [],
      keysOf: (collection) => keys.get(collection)?.(),
    });
    const isLight = isMany(collections);
    for (const one of collections) fields.set(one.name, this.#fieldsOf(tools, one, isLight));
    const formRules = once(() => (isLight ? {} : rulesForForms(references, collections, this.#options.validate)));
    this.#version = { api: new Api(tools, bindings), tools, fields, formRules };
  }

  /** Opens the data with the primary keys of the document, and completes records as it wants them. */
  prepare({ options, now, clock, open }: DataOpening): DataOpening {
    this.now = now;
    const own = Object.fromEntries(
      this.api.bindings.collections.map(({ name, idKey, ownKey }) => [name, ownKey ?? idKey]),
    );
    const idKeys = { ...own, ...options.idKeys };
    return {
      options: { ...options, idKeys, completions: this.#completions(options.completions) },
      now,
      clock,
      open: (given) => this.#open(given, open),
    };
  }

  #completions(given: Completions | undefined): Completions {
    const completions = new Map(given);
    for (const collection of this.api.bindings.collections) {
      completions.set(collection.name, this.#completionOf(collection, given?.get(collection.name)));
    }
    return completions;
  }

  /** Records are not judged here: their requests were, and documents may ask less of requests than of responses. */
  #completionOf(collection: BoundCollection, given: Completion | undefined): Completion {
    const { name } = collection;
    const fields = (): RecordFields | undefined => this.#version.fields.get(name);
    const ids = once(() => (collection.ownKey === undefined ? (given?.ids ?? this.#idsOf(collection)) : "increment"));
    const owned = (record: JsonObject): JsonObject => withOwnElements(this.#version.tools.embedded(), name, record);
    return {
      get ids() {
        return ids();
      },
      created: (body) => {
        const own = given ? given.created(body) : body;
        return owned(fields()?.created(own) ?? own);
      },
      changed: (before, value) => {
        const own = given ? given.changed(before, value) : value;
        return owned(fields()?.changed(before, own) ?? own);
      },
    };
  }

  #idsOf(collection: BoundCollection): Completion["ids"] {
    const { tools } = this.#version;
    return createNewIds(collection, { tools, seed: this.#options.seed, form: this.#formOf(collection) });
  }

  #formOf(collection: BoundCollection): string | undefined {
    const { references } = this.api.document;
    return idFormOf({ references, overrides: this.#options.bind }, collection)?.text;
  }

  #fieldsOf(tools: OperationContext, collection: BoundCollection, isLight: boolean): RecordFields {
    const { record, idKey, ownKey, name } = collection;
    const sample = isLight ? tools.sampleLight : tools.sample;
    return createRecordFields({
      references: tools.document.references,
      record,
      idKey,
      ownKey,
      kept: [...hiddenFields(collection), ...(ownKey === undefined ? [] : [idKey])],
      now: () => this.now(),
      // Traffic shows the fields that were sent, not all that may be.
      sent:
        RECORDED_REASONS in tools.document.root ? undefined : creatableFields(tools.document.references, collection),
      sample: (purpose) => sample(record, purpose === undefined ? record.place : `${name}/new/${purpose}`),
      samplePart: isLight ? tools.sampleLight : tools.sample,
      passes: tools.passes,
      shown: () => {
        const creates = collection.operations.filter(({ action }) => action === "create");
        return creates.flatMap((one) => recordsInExamples(tools.document.references, one))[0];
      },
    });
  }

  /** Opens the data: without a source, generated records in memory; a missing file is created with them. */
  async #open(given: OpenOptions, openData: DataOpening["open"]): Promise<Store> {
    const { source, memory, hasData } = this.#options;
    const isMissing = source !== "" && sourceKind(source) === "file" && !existsSync(source);
    if ((source !== "" || hasData) && !isMissing) return openData(given);
    const database = Object.fromEntries(this.make(() => undefined));
    this.filled = { names: Object.keys(database) };
    if (source === "" || memory) {
      return new MemoryStore(State.load(database, IdKeys.from(given), given), (data) => noJournal(data, MEMORY_PLACE));
    }
    await writeAtomically(source, [`${stringifyJson(database, 2)}\n`]);
    return openData(given);
  }

  /** Adds collections that the data lacks. */
  async fill(store: Store): Promise<void> {
    const filled = await fillStore(store, this.api.bindings.collections, this.make);
    if (filled.names.length > 0) this.filled = filled;
  }

  readonly make: MakeRecords = (idsOf) => {
    const { tools, api, fields } = this.#version;
    const { collections } = api.bindings;
    const isLight = isMany(collections);
    return createSeed({
      references: api.document.references,
      collections,
      seed: this.#options.seed,
      sample: remembering(isLight ? tools.sampleLight : tools.sample),
      // To compile hundreds of schemas takes seconds; responses are checked in any case.
      isValid: isLight ? tools.passes : (schema, value) => tools.validator(schema)(value).length === 0,
      complete: ({ name }, record) => fields.get(name)?.created(record) ?? record,
      formOf: (collection) => this.#formOf(collection),
      embedded: tools.embedded,
      idsOf,
    });
  };
}
