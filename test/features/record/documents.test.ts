import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageOf } from "../../../src/base/errors.ts";
import { recordDocument } from "../../documents/recorded.ts";
import { createFolder } from "../../support/cli.ts";
import { addressOf, runKept } from "../../support/kept-process.ts";
import { IS_SOAK, testAtLength } from "../../support/soak.ts";
import { tellNumbers } from "../../support/tell-numbers.ts";
import { library, shelter, warehouse } from "../document/documents.ts";

/** A folder of public OpenAPI documents, the one that `npm run soak:documents` is given. */
const FOLDER = process.env.STANDIN_DOCUMENTS;

const start = async (args: readonly string[]) => {
  const { child, exit, ...run } = runKept([...args, "--port", "0"], createFolder());
  let isOver = false;
  void exit.then(() => {
    isOver = true;
  });
  const stop = async (): Promise<void> => {
    if (!isOver) child.kill("SIGTERM");
    await exit;
  };
  return { url: await addressOf({ child, exit, ...run }), stop };
};

test.each(Object.entries({ ...(IS_SOAK && { shelter }), library, warehouse }))(
  "the recording of the %s document responds as the document did",
  async (_, document) => {
    const folder = createFolder({ "api.json": document });
    const { asked, failures } = await recordDocument(join(folder, "api.json"), { start, folder });
    expect(asked).toBeGreaterThan(5);
    expect(failures).toEqual([]);
  },
);

testAtLength("of the round trips of public documents, 95 % are the same on their recordings", async () => {
  if (FOLDER === undefined) {
    console.log("No public documents are recorded: STANDIN_DOCUMENTS names no folder of them.");
    return;
  }
  const sum = { asked: 0, right: 0, unread: 0 };
  const failed: string[] = [];
  for (const name of readdirSync(FOLDER).filter((one) => /\.(?:json|ya?ml)$/.test(one))) {
    try {
      const { asked, right, unread } = await recordDocument(join(FOLDER, name), { start, folder: createFolder() });
      sum.asked += asked;
      sum.right += right;
      sum.unread += unread;
      tellNumbers(`${name}: ${right} of ${asked}`);
    } catch (thrown) {
      failed.push(`${name}: ${messageOf(thrown)}`);
    }
  }
  const percent = (100 * sum.right) / sum.asked;
  tellNumbers(
    `recordings: ${sum.right} of ${sum.asked} responses are the same (${percent.toFixed(1)} %), ${sum.unread} have bodies that are not kept`,
  );
  expect(failed).toEqual([]);
  expect(percent).toBeGreaterThanOrEqual(95);
});
