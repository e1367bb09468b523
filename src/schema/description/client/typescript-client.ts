import { FILE_TYPE_NAME } from "../../inference/file-shape.ts";
import { declarations, propertyName } from "../types/typescript.ts";
import {
  type ClientData,
  type ClientMember,
  filledFields,
  headerOf,
  idKindOf,
  renameTypes,
  runtimeText,
} from "./client-data.ts";

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Types that the code of the client uses: those of the language, and those it declares itself. */
const TAKEN = [
  ...["AbortSignal", "AsyncGenerator", "Blob", "Exclude", "Extract", "FormData", "Partial", "Pick", "Promise"],
  ...["PropertyKey", "Readonly", "StandinFileField", "StandinHolds"],
  ...["StandinClient", "StandinCollection", "StandinCombined", "StandinCondition", "StandinConflictError"],
  ...["StandinConnection", "StandinDraft", "StandinClientError", "StandinErrorCode", "StandinFound", "StandinHeaders"],
  ...["StandinKey", "StandinOnObject", "StandinOnScalar", "StandinOperators", "StandinClientOptions", "StandinPage"],
  ...["StandinParameter", "StandinPath", "StandinQuery", "StandinRelations", "StandinRequest", "StandinSingleton"],
  ...["StandinObjectOperators", "StandinSlice", "StandinSort", "StandinValue", "StandinViolation", "StandinWhere"],
];
/** Members that the class has besides those of the data. */
const OWN_MEMBERS = ["constructor", "__proto__", "inSandbox", "removeSandbox", "uploadFile"];
const ID_TYPES = { text: "string", number: "number", any: "string | number" } as const;

/** A client in TypeScript: types of the data, a class with a property for each member, and the code behind it. */
export function typescriptClient(data: ClientData): string {
  const types = renameTypes(data.types, TAKEN);
  // The code of the client declares it, too.
  const named = types.named.filter(({ typeName }) => typeName !== FILE_TYPE_NAME);
  const declared = declarations({ ...types, named });
  return [headerOf(data), ...declared, classText({ ...data, types }), runtimeText("client.ts")].join("\n\n");
}

function classText({ types, settings, source }: ClientData): string {
  const keyOf = memberKeys(
    types.members.map(({ name }) => name),
    OWN_MEMBERS,
  );
  const members = types.members.map((member) => {
    const key = propertyName(keyOf(member.name));
    const access = key.startsWith('"') ? `this[${key}]` : `this.${key}`;
    const name = JSON.stringify(member.name);
    if (member.kind === "singleton") {
      return {
        field: `  readonly ${key}: StandinSingleton<${member.typeName}>;`,
        setting: `    ${access} = new StandinSingleton(connection, ${name});`,
      };
    }
    return {
      field: `  readonly ${key}: ${collectionType(member, filledFields(member, settings))};`,
      setting: `    ${access} = new StandinCollection(connection, ${name}, ${JSON.stringify(member.idKey)});`,
    };
  });
  return [
    `/** A client for ${source}: \`const client = new StandinClient({ url: "http://localhost:3000" });\` */`,
    "export class StandinClient {",
    ...members.map(({ field }) => field),
    "  readonly #connection: StandinConnection;",
    "  readonly #options: StandinClientOptions;",
    "",
    "  constructor(options: StandinClientOptions = {}) {",
    "    const connection = new StandinConnection(options);",
    ...members.map(({ setting }) => setting),
    "    this.#connection = connection;",
    "    this.#options = options;",
    "  }",
    "",
    "  /** The same client in a sandbox: a private copy of the data, which its first request creates. */",
    "  inSandbox(name: string): StandinClient {",
    "    return new StandinClient({ ...this.#options, sandbox: name });",
    "  }",
    "",
    "  /** Stores a `File` or `Blob`, for a record that is written within a day: `{ photo: await client.uploadFile(file) }`. */",
    "  uploadFile(file: Blob): Promise<StandinFile> {",
    "    return this.#connection.uploadFile(file);",
    "  }",
    "",
    "  /** Removes the sandbox of this client; the next request would create it anew. */",
    "  async removeSandbox(): Promise<void> {",
    "    const { sandbox } = this.#options;",
    "    if (sandbox !== undefined) await this.#connection.removeSandbox(sandbox);",
    "  }",
    "}",
  ].join("\n");
}

function collectionType(member: ClientMember, filled: readonly string[]): string {
  const keys = filled.map((field) => JSON.stringify(field)).join(" | ");
  return `StandinCollection<${member.typeName}, ${ID_TYPES[idKindOf(member)]}, ${keys}>`;
}

/**
 * Gives properties of a client to these members: their names, in camel case where a name is no identifier, and with a
 * number where it is taken. `order-lines` -> `orderLines`.
 */
function memberKeys(names: readonly string[], taken: readonly string[]): (name: string) => string {
  const used = new Set(taken);
  // A name that needs no change keeps it, wherever it stands.
  const unchanged = names.filter((name) => IDENTIFIER.test(name) && !used.has(name));
  for (const name of unchanged) used.add(name);
  return (name) => {
    if (unchanged.includes(name)) return name;
    const wanted = IDENTIFIER.test(name) ? name : camelCase(name);
    let free = wanted;
    for (let number = 2; used.has(free); number++) free = `${wanted}${number}`;
    used.add(free);
    return free;
  };
}

function camelCase(text: string): string {
  const [first = "member", ...others] = text.match(/[\p{ID_Continue}$]+/gu) ?? [];
  const name = [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
  return IDENTIFIER.test(name) ? name : `_${name}`;
}
