import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, askAt } from "../support/api.ts";
import { openHosted } from "../support/hosted.ts";
import { DIFFERENCES } from "./prism/differences.ts";
import { QUESTIONS, titleOf } from "./prism/questions.ts";

/** The responses of @stoplight/prism-cli 5.16.0; prism/record.ts says how to record them again. */
const recorded = JSON.parse(readFileSync("test/hosted/fixtures/prism-answers.json", "utf8")) as Record<
  string,
  { status: number; body: string }
>;

describe("the same document served by Prism and by standin", () => {
  const servers = new Map<string, Api & { close(): Promise<void> }>();
  beforeAll(async () => {
    for (const document of new Set(QUESTIONS.map((question) => question.document))) {
      servers.set(document, await openHosted(`test/hosted/fixtures/${document}`));
    }
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.close();
  });

  test("at least 60 responses are the same, and every request was sent to Prism", () => {
    expect(Object.keys(recorded).sort()).toEqual(QUESTIONS.map(titleOf).sort());
    expect(QUESTIONS.length - Object.keys(DIFFERENCES).length).toBeGreaterThanOrEqual(60);
    expect(Object.keys(DIFFERENCES).filter((title) => !Object.hasOwn(recorded, title))).toEqual([]);
  });

  for (const question of QUESTIONS) {
    const title = titleOf(question);
    const prism = recorded[title]!;
    const difference = DIFFERENCES[title];
    const outcome = difference ? `${difference.status}, because ${difference.because}` : `${prism.status} in both`;
    test(`${title} -> ${outcome}`, async () => {
      const { url } = servers.get(question.document)!;
      const ours = await askAt(url, question.line, question);
      if (difference) {
        expect(ours.status).toBe(difference.status);
        if (difference.body) expect(ours.body).toMatchObject(difference.body);
        else expect(ours.text).toBe("");
        // A difference that is none any more has no place in the list.
        expect({ status: ours.status, body: ours.text }).not.toEqual(prism);
        return;
      }
      expect(ours.status).toBe(prism.status);
      // Each has its own words for what it cannot answer.
      if (prism.body.includes("stoplight.io/prism/errors"))
        expect(ours.body).toHaveProperty("code", "EXAMPLE_NOT_FOUND");
      else if (/^[[{]/.test(prism.body)) expect(ours.body).toEqual(JSON.parse(prism.body));
      else expect(ours.text).toBe(prism.body);
    });
  }
});
