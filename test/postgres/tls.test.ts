import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSelfSigned } from "../../src/http/node/tls/self-signed.ts";
import { askAt } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";
import { newSchema } from "./database.ts";
import { PostgresServer } from "./server.ts";

describe("a database that takes encrypted connections only", () => {
  let server: PostgresServer;
  let folder: string;

  beforeAll(async () => {
    const certificate = await createSelfSigned();
    const stranger = await createSelfSigned();
    server = await PostgresServer.create(certificate);
    folder = createFolder({ "ca.pem": certificate.cert, "other.pem": stranger.cert });
  });

  afterAll(() => server?.destroy());

  const words = (flags: readonly string[], search = ""): string[] => [
    `${server.url}${search}`,
    ...flags,
    "--schema",
    newSchema(),
  ];

  for (const [flags, search] of [
    [["--databaseTls", "require"]],
    [["--databaseTls", "verify", "--databaseCa", "ca.pem"]],
    [["--databaseCa", "ca.pem"]],
    [[], "?sslmode=require"],
  ] as [flags: string[], search?: string][]) {
    test(`is served with ${flags.join(" ") || search}`, async () => {
      const standin = await serveKept([...words(flags, search), "--sample", "products"], folder);
      expect((await askAt(standin.url, "POST /products", { body: { name: "Sealed" } })).status).toBe(201);
      await standin.stop();
    });
  }

  const refused: [flags: string[], reason: RegExp][] = [
    [[], /cannot be used: .*no encryption/],
    [["--databaseTls", "off"], /cannot be used: .*no encryption/],
    [["--databaseTls", "verify"], /cannot be used: .*self-signed certificate/],
    [
      ["--databaseTls", "verify", "--databaseCa", "other.pem"],
      /cannot be used: .*(self-signed certificate|unable to verify)/,
    ],
    [["--databaseCa", "missing.pem"], /certificate .*missing\.pem cannot be read/],
  ];
  for (const [flags, reason] of refused) {
    test(`is not served with ${flags.join(" ") || "nothing said"}, and that is said in one line`, async () => {
      const run = runKept([...words(flags), "--port", "0"], folder);
      expect(await run.exit).toBe(1);
      expect(run.output.stderr).toMatch(reason);
      expect(run.output.stderr.trim().split("\n")).toHaveLength(1);
    });
  }
});
