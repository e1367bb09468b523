import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCertificate } from "../../src/commands/run-service.ts";
import { createPair } from "../support/certificates.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";

async function pairWith(mode: number) {
  const pair = await createPair();
  const folder = createFolder({ "cert.pem": pair.cert, "key.pem": pair.key, "db.json": { items: [] } });
  chmodSync(join(folder, "key.pem"), mode);
  return { folder, https: true, cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
}

for (const [mode, isReported] of [
  [0o600, false],
  [0o640, false],
  [0o644, true],
  [0o604, true],
] as const) {
  test(`a private key of mode ${mode.toString(8)} is ${isReported ? "reported" : "fine"}`, async () => {
    const { warning } = (await openCertificate(await pairWith(mode)))!;
    if (isReported) expect(warning).toContain("chmod 600");
    else expect(warning).toBeUndefined();
  });
}

test("the start warns, and serves", async () => {
  const { folder } = await pairWith(0o644);
  const server = await serveKept(["db.json", "--cert", "cert.pem", "--key", "key.pem"], folder);
  expect(server.output.stdout).toContain("can read the private key key.pem (mode 644)");
  await server.stop();
});
