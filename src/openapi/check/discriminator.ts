import { isJsonObject, type Json } from "../../base/json/json.ts";
import { type Placed, partsOf, type References } from "../../schema/references.ts";

/** A property whose value says which branch of a choice an object belongs to. */
export interface Discriminator {
  readonly property: string;
  /** Positions of branches by the value. */
  readonly byValue: ReadonlyMap<string, number>;
}

/**
 * Reads `discriminator`: values are those of its `mapping`, those that a branch allows for the property, and otherwise the
 * name of the branch's schema.
 */
export function readDiscriminator(
  discriminator: Json | undefined,
  branches: readonly Placed[],
  references: References,
): Discriminator | undefined {
  if (!isJsonObject(discriminator) || typeof discriminator.propertyName !== "string") return undefined;
  const property = discriminator.propertyName;
  const targets = branches.map(targetOf);
  const byValue = new Map<string, number>();
  const add = (value: string, branch: number): void => {
    if (!byValue.has(value)) byValue.set(value, branch);
  };
  for (const [value, target] of Object.entries(isJsonObject(discriminator.mapping) ? discriminator.mapping : {})) {
    const branch = targets.findIndex((one) => one !== undefined && (one === target || nameIn(one) === target));
    if (branch !== -1) add(value, branch);
  }
  const mapped = new Set(byValue.values());
  for (const [at, branch] of branches.entries()) {
    const allowed = allowedValues(branch, property, references);
    for (const value of allowed) add(value, at);
    const target = targets[at];
    if (allowed.length === 0 && target !== undefined && !mapped.has(at)) add(nameIn(target), at);
  }
  return byValue.size === 0 ? undefined : { property, byValue };
}

function targetOf({ value }: Placed): string | undefined {
  return isJsonObject(value) && typeof value.$ref === "string" ? value.$ref : undefined;
}

/** `#/components/schemas/Cat` and `cat.yaml` name their schemas, too. */
function nameIn(reference: string): string {
  return (reference.split("/").at(-1) ?? "").replace(/\.(json|ya?ml)$/i, "");
}

/** The texts that a branch allows for the property, if it lists them. */
function allowedValues(branch: Placed, property: string, references: References): string[] {
  const lists = partsOf(branch, references).map(({ value: { properties }, place }) => {
    const given = isJsonObject(properties) && Object.hasOwn(properties, property) ? properties[property] : undefined;
    const own = references.follow({ value: given, place }).value;
    const list = isJsonObject(own) ? (own.enum ?? [own.const ?? null]) : [];
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  });
  // A common base lists the values of all branches, so the shortest list is that of this one.
  return lists.filter((list) => list.length > 0).sort((a, b) => a.length - b.length)[0] ?? [];
}
