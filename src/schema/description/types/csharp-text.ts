import { typeNamer } from "../type-names.ts";
import type { TextOption } from "./value-type.ts";

/** Gives names to properties, unlike each other and unlike the type that has them. */
export function memberNamer(typeName: string, taken: readonly string[] = []): (field: string) => string {
  return typeNamer([
    typeName,
    ...taken,
    "Equals",
    "GetHashCode",
    "GetType",
    "ToString",
    "Clone",
    "MemberwiseClone",
    "ReferenceEquals",
    "Finalize",
    "PrintMembers",
    "EqualityContract",
  ]);
}

export function property(jsonName: string, name: string, type: string): string {
  return `    [JsonPropertyName(${csharpText(jsonName)})]\n    public ${type} ${name} { get; init; }`;
}

/** Whether the choices of a text can be an enumeration: System.Text.Json has no names that are empty or begin or end with a space. */
export function isEnum(text: TextOption): text is TextOption & { readonly choices: readonly string[] } {
  const { choices = [], isClosed } = text;
  return (
    isClosed === true && choices.length > 1 && choices.every((choice) => choice !== "" && choice === choice.trim())
  );
}

export function enumText(typeName: string, choices: readonly string[]): string {
  const nameOf = typeNamer([], "Value");
  const lines = choices.map(
    (choice) => `    [JsonStringEnumMemberName(${csharpText(choice)})]\n    ${nameOf(choice)},`,
  );
  return `[JsonConverter(typeof(JsonStringEnumConverter<${typeName}>))]\npublic enum ${typeName}\n{\n${lines.join("\n\n")}\n}`;
}

/** C# has the escapes of JSON, but for the slash. */
export function csharpText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
