import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStandin } from "../../../src/index.ts";
import { createFolder } from "../../support/cli.ts";
import { limit } from "../../support/limits.ts";
import { loadPages } from "../../support/pages.ts";
import { somePort } from "../../support/some-port.ts";
import { compile, findSdk, RUNTIME } from "../description/clients/dotnet.ts";

const sdk = findSdk();
if (sdk === undefined) console.warn("The receiver in C# is not compiled: there is no dotnet here.");
const SECRET = `whsec_${Buffer.from("a secret of two dozen by").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another one of as many b").toString("base64")}`;

test.skipIf(sdk === undefined)(
  "the receiver in C# takes what is genuine, and refuses the rest",
  { timeout: limit(120_000) },
  async () => {
    const page = loadPages().find(({ path }) => path.endsWith("webhooks-and-time.md"));
    const program = page!.blocks.find(({ name }) => name === "Receiver.cs")!.lines.join("\n");
    const folder = createFolder({ "Receiver.cs": program });
    expect(
      await compile(sdk!, sdk!.references[0]!, folder, { files: ["Receiver.cs"], out: "Receiver", isProgram: true }),
    ).toBe("");
    writeFileSync(join(folder, "Receiver.runtimeconfig.json"), RUNTIME);
    const port = somePort();
    const child = spawn("dotnet", ["exec", "Receiver.dll", String(port), SECRET], { cwd: folder });
    onTestFinished(() => void child.kill());
    await once(child.stdout, "data");
    const hooks = [SECRET, OTHER].map((secret, at) => ({
      name: `hook-${at}`,
      on: "orders.created",
      to: `http://localhost:${port}/`,
      retry: 0,
      sign: { as: "standard" as const, secret },
    }));
    const api = await createStandin({ data: { orders: [] }, clock: "2030-01-01T00:00:00Z", hooks });
    onTestFinished(() => api.close());
    await api.request("POST /orders", { body: { note: "é" } });
    await api.clock.advance("1s");
    expect((await api.deliveries()).map(({ hook, attempts }) => [hook, attempts[0]?.status])).toEqual([
      ["hook-1", 401],
      ["hook-0", 204],
    ]);
  },
);
