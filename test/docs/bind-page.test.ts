import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BIND_SCHEMA } from "../../src/openapi/bind/config/bind-schema.ts";

interface BindSchema {
  readonly additionalProperties: {
    readonly anyOf: readonly { readonly properties?: object; readonly const?: boolean }[];
  };
}

test("docs/reference/binding.md has every setting of bind in a table, and an example of it", () => {
  const [, page = ""] = readFileSync("docs/reference/binding.md", "utf8").split("## Corrections");
  const [table] = /^\| setting \|.*?\n\n/ms.exec(page) ?? [];
  const examples = [...page.matchAll(/^```json standin\.json\n(.*?)^```$/gms)].map(([, text]) => text).join("\n");
  const { anyOf } = (BIND_SCHEMA as object as BindSchema).additionalProperties;
  const keys = anyOf.flatMap(({ properties }) => Object.keys(properties ?? {}));
  expect(keys.length).toBeGreaterThan(4);
  for (const key of keys) {
    expect(table).toContain(`\`${key}\``);
    expect(examples).toContain(`"${key}": `);
  }
  for (const { const: value } of anyOf) if (value !== undefined) expect(table).toContain(`\`${value}\``);
});
