import { join } from "node:path";
import { expect, test } from "vitest";
import { createStandin } from "../../src/index.ts";
import { askAt, codeOf } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { createDatabase } from "./database.ts";

test("files of data in a database need a folder that is named", async () => {
  const source = await createDatabase();
  const upload = async (url: string) => {
    const body = new FormData();
    body.append("photo", new File(["a picture"], "hat.txt"));
    const response = await fetch(`${url}/products`, { method: "POST", body });
    return { status: response.status, body: (await response.json()) as Record<string, { url: string } & string> };
  };
  const without = await createStandin({ source, persist: true });
  await askAt(without.url, "POST /__collections", { body: { name: "products" } });
  const refused = await upload(without.url);
  expect([refused.status, refused.body.code]).toEqual([415, "BODY_TYPE_UNSUPPORTED"]);
  expect(refused.body.message).toContain("--files <folder>");
  expect(codeOf(await askAt(without.url, "POST /__files"))).toBe("FILES_OFF");
  await without.close();

  const files = join(createFolder({}), "shared");
  const [first, second] = await Promise.all([1, 2].map(() => createStandin({ source, persist: true, files })));
  const made = await upload(first!.url);
  expect(made.status).toBe(201);
  expect((await askAt(second!.url, `GET ${made.body.photo?.url}`)).text).toBe("a picture");
  await Promise.all([first!.close(), second!.close()]);
});
