import { readFileSync } from "node:fs";
import { packageFile } from "../../../base/files/package-file.ts";
import type { SettingsByCollection } from "../../../store/collection-settings.ts";
import { typeNamer } from "../type-names.ts";
import type { DescribedTypes } from "../types/describe-types.ts";
import type { TypeOption, ValueType } from "../types/value-type.ts";

/** Everything that a client is written from, in any language. */
export interface ClientData {
  readonly types: DescribedTypes;
  /** The settings of the config file: fields that the server fills in. */
  readonly settings: SettingsByCollection;
  /** The data, as a comment names it. */
  readonly source: string;
  /** The command that writes the client. */
  readonly command: string;
}

export type ClientMember = DescribedTypes["members"][number];

/** The first lines of a client, in a language with `//` comments. A file with the first one may be replaced. */
export function headerOf({ source, command }: ClientData): string {
  return [
    `// A client for ${source}, made by: ${command}`,
    "// When the data has changed, make it again with this command. Do not edit it: changes would be lost.",
  ].join("\n");
}

/** A part of the first line of every client: its command begins so. */
export const CLIENT_MARK = "made by: standin client";

/** Whether the ids of a collection are known to be texts, or numbers. */
export function idKindOf({ type, idKey }: ClientMember): "text" | "number" | "any" {
  const ids = type.flatMap((option) => {
    const field = option.kind === "record" ? option.fields.find(({ name }) => name === idKey) : undefined;
    return field?.type ?? [];
  });
  const isEach = (matches: (id: ValueType[number]) => boolean): boolean => ids.length > 0 && ids.every(matches);
  if (isEach(({ kind }) => kind === "integer" || kind === "number")) return "number";
  return isEach(({ kind }) => kind === "text") ? "text" : "any";
}

/** The fields of a new record that the server fills in: id, timestamps and defaults. */
export function filledFields({ name, idKey }: ClientMember, settings: SettingsByCollection): string[] {
  const { timestamps, defaults } = settings.get(name) ?? {};
  const all = [idKey, timestamps?.created, timestamps?.updated, ...Object.keys(defaults ?? {})];
  return [...new Set(all.filter((field) => field !== undefined))];
}

/** The part of a client that is the same for all data. The build copies it from `clients/`. */
export function runtimeText(file: "client.ts" | "client.cs"): string {
  return readFileSync(packageFile(`dist/clients/${file}`), "utf8")
    .replaceAll("\r\n", "\n")
    .trimEnd();
}

/** The same types, none of them with one of these names: `Promise` becomes `Promise2`. */
export function renameTypes(types: DescribedTypes, taken: readonly string[]): DescribedTypes {
  const all = [...types.members, ...types.named].map(({ typeName }) => typeName);
  const clashing = all.filter((name) => taken.includes(name));
  if (clashing.length === 0) return types;
  const freeNameOf = typeNamer([...taken, ...all]);
  const names = new Map(clashing.map((name) => [name, freeNameOf(name)]));
  const rename = <T extends { readonly typeName: string; readonly type: ValueType }>(one: T): T => ({
    ...one,
    typeName: names.get(one.typeName) ?? one.typeName,
    type: renameIn(one.type, names),
  });
  return { members: types.members.map(rename), named: types.named.map(rename) };
}

function renameIn(type: ValueType, names: ReadonlyMap<string, string>): ValueType {
  return type.map((option): TypeOption => {
    switch (option.kind) {
      case "named":
        return { ...option, name: names.get(option.name) ?? option.name };
      case "array":
        return { ...option, items: renameIn(option.items, names) };
      case "dictionary":
        return { ...option, values: renameIn(option.values, names) };
      case "tuple":
        return {
          ...option,
          first: option.first.map((one) => renameIn(one, names)),
          rest: option.rest && renameIn(option.rest, names),
        };
      case "record":
        return { ...option, fields: option.fields.map((field) => ({ ...field, type: renameIn(field.type, names) })) };
      default:
        return option;
    }
  });
}
