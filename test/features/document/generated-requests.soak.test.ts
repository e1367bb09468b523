import { join } from "node:path";
import { expect, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { loadApiDocument } from "../../../src/openapi/read/load-api-document.ts";
import { createFolder } from "../../support/cli.ts";
import { library, shelter, warehouse } from "./documents.ts";
import { sendGenerated } from "./generated-requests.ts";

const documents = { shelter, library, warehouse };

for (const [name, document] of Object.entries(documents)) {
  test(`every response to 3,500 generated requests is valid against the ${name} document`, async () => {
    const source = join(createFolder({ "api.json": document }), "api.json");
    const warnings: string[] = [];
    await using api = await createStandin({ source, warn: (text) => warnings.push(text), traffic: 0 });
    const { problems, statuses } = await sendGenerated(await loadApiDocument(source), api.url, {
      count: 3500,
      seed: 20,
    });
    expect(problems).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(500);
    expect(warnings.filter((text) => text.includes("the response breaks"))).toEqual([]);
  });
}
