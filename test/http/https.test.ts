import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect as connectPlainly } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type DetailedPeerCertificate, type TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { openCertificate } from "../../src/commands/run-service.ts";
import { resolveServeOptions } from "../../src/config/resolve.ts";
import { type Certificate, selfSignedCertificate } from "../../src/http/node/tls/certificate.ts";
import { catalog } from "../support/catalog.ts";
import { createPair, type Pair } from "../support/certificates.ts";
import { createFolder, type Served } from "../support/cli.ts";
import { runKept, serveKept } from "../support/kept-process.ts";

interface Thumbprints {
  sha1: string;
  sha256: string;
}

/** The thumbprints that the start printed. */
function printedBy({ output }: Served): Thumbprints {
  const [, sha1 = ""] = /SHA-1 thumbprint +([0-9A-F]{40})$/m.exec(output.stdout) ?? [];
  const [, sha256 = ""] = /SHA-256 thumbprint +([0-9A-F]{64})$/m.exec(output.stdout) ?? [];
  return { sha1, sha256 };
}

/** GET by a client that trusts only the given thumbprint, as .NET clients do. */
function getPinned(url: string, path: string, { sha1, sha256 }: Thumbprints): Promise<unknown> {
  return new Promise((found, failed) => {
    const asked = request(`${url}${path}`, { rejectUnauthorized: false, agent: false }, async (answer) => {
      const socket = answer.socket as TLSSocket;
      const { raw } = socket.getPeerCertificate();
      const digest = (name: string): string => createHash(name).update(raw).digest("hex").toUpperCase();
      if (digest("sha1") !== sha1 || digest("sha256") !== sha256) failed(new Error("not the pinned certificate"));
      else found(JSON.parse(await text(answer)));
    });
    asked.on("error", failed);
    asked.end();
  });
}

/** Shakes hands and hangs up; tells what was agreed on. */
function shakeHands(
  port: number,
  options: object = {},
): Promise<{ protocol: string | null; peer: DetailedPeerCertificate }> {
  return new Promise((found, failed) => {
    const socket = connect({ port, host: "localhost", rejectUnauthorized: false, ...options }, () => {
      found({ protocol: socket.getProtocol(), peer: socket.getPeerCertificate(true) });
      socket.destroy();
    });
    socket.on("error", failed);
  });
}

function portOf({ url }: Served): number {
  return Number(new URL(url).port);
}

function keptFiles(folder: string): { cert: string; key: string } {
  return {
    cert: join(folder, ".standin", "db.json.cert.pem"),
    key: join(folder, ".standin", "db.json.key.pem"),
  };
}

describe("the self-signed certificate of --ssl", () => {
  test("a client that pins the printed thumbprints gets its responses; one that pins others does not", async () => {
    const served = await serveKept(["db.json", "--ssl"], createFolder({ "db.json": catalog() }));
    expect(served.url).toMatch(/^https:\/\/localhost:\d+$/);
    const pinned = printedBy(served);
    expect(served.output.stdout).toMatch(/certificate file {3}.*\.standin\/db\.json\.cert\.pem$/m);
    expect(await getPinned(served.url, "/products/1", pinned)).toEqual(catalog().products[0]);
    const other = { ...pinned, sha256: pinned.sha256.replace(/./, (letter) => (letter === "A" ? "B" : "A")) };
    await expect(getPinned(served.url, "/products/1", other)).rejects.toThrow("not the pinned");
    await served.stop();
  });

  test("is a self-signed server certificate for localhost, 127.0.0.1 and ::1, valid for a year", async () => {
    const served = await serveKept(["db.json", "--ssl"], createFolder({ "db.json": catalog() }));
    const { peer } = await shakeHands(portOf(served));
    const certificate = new X509Certificate(peer.raw);
    expect(certificate.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.checkIP("::1")).toBe("::1");
    expect(certificate.checkHost("example.com")).toBeUndefined();
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    const daysLeft = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(360);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now());
    await served.stop();
  });

  test("a client that trusts it needs to skip no check, on either address", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const served = await serveKept(["db.json", "--ssl"], folder);
    const ca = readFileSync(keptFiles(folder).cert);
    for (const host of ["localhost", "127.0.0.1"]) {
      const options = { ca, host, rejectUnauthorized: true, ...(host === "localhost" ? { servername: host } : {}) };
      expect((await shakeHands(portOf(served), options)).peer.subject.CN, host).toBe("localhost");
    }
    await served.stop();
  });

  test("addresses in responses begin with https", async () => {
    const served = await serveKept(["db.json", "--ssl"], createFolder({ "db.json": catalog() }));
    const location = await new Promise((found, failed) => {
      const asked = request(`${served.url}/products`, { method: "POST", rejectUnauthorized: false }, (answer) => {
        answer.resume();
        found(answer.headers.location);
      });
      asked.on("error", failed);
      asked.end();
    });
    expect(location).toBe(`${served.url}/products/13`);
    await served.stop();
  });

  test("is kept with its key, readable by the owner only, and used again", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const first = await serveKept(["db.json", "--ssl"], folder);
    await first.stop();
    const { cert, key } = keptFiles(folder);
    for (const file of [cert, key]) expect(statSync(file).mode & 0o777, file).toBe(0o600);
    expect(readFileSync(join(folder, ".standin", ".gitignore"), "utf8")).toBe("*\n");
    const second = await serveKept(["db.json", "--ssl"], folder);
    await second.stop();
    expect(printedBy(second)).toEqual(printedBy(first));
    expect(printedBy(first).sha256).toHaveLength(64);
  });

  test("is kept only once the port is had", async () => {
    const folder = createFolder({ "db.json": catalog() });
    const served = await serveKept(["db.json", "--memory"], folder);
    const taken = new URL(served.url).port;
    const other = createFolder({ "db.json": catalog() });
    const { exit, output } = runKept(["db.json", "--ssl", "--port", taken], other);
    expect(await exit).toBe(1);
    expect(output.stderr).toContain("EADDRINUSE");
    expect(readdirSync(other)).toEqual(["db.json"]);
    await served.stop();
  });

  describe("is made anew when what was kept is invalid", () => {
    const spoil: [name: string, change: (files: Pair, folder: string) => Promise<void> | void][] = [
      ["expired", async (files) => write(files, await createPair(-30, -1))],
      ["about to expire", async (files) => write(files, await createPair(-30, 0.5))],
      ["a damaged certificate", (files) => writeFileSync(files.cert, "-----BEGIN CERTIFICATE-----\nAAAA\n")],
      ["an empty certificate", (files) => writeFileSync(files.cert, "")],
      ["a damaged key", (files) => writeFileSync(files.key, "nonsense")],
      ["a key of another", async (files) => writeFileSync(files.key, (await createPair()).key)],
    ];
    for (const [name, change] of spoil) {
      test(name, async () => {
        const folder = createFolder({ "db.json": catalog() });
        mkdirSync(join(folder, ".standin"));
        const files = keptFiles(folder);
        write(files, await createPair());
        await change(files, folder);
        // Users who could read the old file must not be able to read the new one.
        for (const file of [files.cert, files.key]) chmodSync(file, 0o644);
        const old = readFileSync(files.cert, "utf8");
        const { sha256, keep } = await selfSignedCertificate(join(folder, "db.json"));
        expect(readFileSync(files.cert, "utf8")).toBe(old);
        keep?.();
        const made = new X509Certificate(readFileSync(files.cert));
        expect(made.fingerprint256.replaceAll(":", "")).toBe(sha256);
        expect(made.checkPrivateKey(createPrivateKey(readFileSync(files.key)))).toBe(true);
        for (const file of [files.cert, files.key]) expect(statSync(file).mode & 0o777, file).toBe(0o600);
        expect(await selfSignedCertificate(join(folder, "db.json"))).toMatchObject({ sha256 });
      });
    }

    test("by the command line, too", async () => {
      const folder = createFolder({ "db.json": catalog() });
      mkdirSync(join(folder, ".standin"));
      const expired = await createPair(-30, -1);
      write(keptFiles(folder), expired);
      const served = await serveKept(["db.json", "--ssl"], folder);
      expect(await getPinned(served.url, "/products/1", printedBy(served))).toMatchObject({ id: 1 });
      await served.stop();
      expect(readFileSync(keptFiles(folder).cert, "utf8")).not.toBe(expired.cert);
    });

    test("what is good is left alone", async () => {
      const folder = createFolder({ "db.json": catalog() });
      mkdirSync(join(folder, ".standin"));
      const pair = await createPair();
      write(keptFiles(folder), pair);
      const kept = await selfSignedCertificate(join(folder, "db.json"));
      expect(kept.sha256).toBe(thumbprintOf(pair));
      expect(kept.keep).toBeUndefined();
    });
  });

  test("for data from elsewhere it is kept in the current folder", async () => {
    const folder = createFolder({ "data.cjs": "module.exports = { products: [{ id: 1 }] };" });
    const served = await serveKept(["data.cjs", "--ssl"], folder);
    await served.stop();
    expect(existsSync(join(folder, ".standin", "standin.cert.pem"))).toBe(true);
  });
});

describe("your own pair", () => {
  async function folderWithPair(config: object = {}): Promise<{ folder: string; pair: Pair }> {
    const pair = await createPair();
    const files = { "db.json": catalog(), "my.crt": pair.cert, "my.key": pair.key, "standin.json": config };
    return { folder: createFolder(files), pair };
  }

  for (const [name, config, args] of [
    ["by flags", {}, ["--cert", "my.crt", "--key", "my.key"]],
    ["by the config file", { ssl: { cert: "my.crt", key: "my.key" } }, []],
  ] as [string, object, string[]][]) {
    test(`${name}: it is served, its thumbprints are printed, and nothing is kept`, async () => {
      const { folder, pair } = await folderWithPair(config);
      const served = await serveKept(["db.json", ...args], folder);
      expect(printedBy(served).sha256).toBe(thumbprintOf(pair));
      expect(await getPinned(served.url, "/products/1", printedBy(served))).toMatchObject({ id: 1 });
      expect(served.output.stdout).not.toContain("self-signed");
      expect(served.output.stdout).toMatch(/certificate file {3}.*my\.crt$/m);
      await served.stop();
      expect(existsSync(join(folder, ".standin"))).toBe(false);
    });
  }

  /** The certificate that a start in this folder would serve with. */
  function openIn(folder: string, args: readonly string[]): Promise<Certificate | undefined> {
    const { options } = resolveServeOptions([join(folder, "db.json"), ...args], folder);
    const inFolder = (path: string | undefined): string | undefined => path && join(folder, path);
    return openCertificate({ ...options, cert: inFolder(options.cert), key: inFolder(options.key) });
  }

  const ways: [config: object, args: string[]][] = [
    [{}, ["--cert", "my.crt", "--key", "my.key"]],
    [{}, ["--ssl", "--cert", "my.crt", "--key", "my.key"]],
    [{ "ssl.cert": "my.crt", "ssl.key": "my.key" }, []],
    [{ https: true, "ssl.cert": "my.crt", "ssl.key": "my.key" }, []],
    [{ ssl: { cert: "my.crt", key: "my.key" } }, []],
    [{ "ssl.cert": "my.crt" }, ["--key", "my.key"]],
    [{ ssl: { cert: "gone.crt", key: "gone.key" } }, ["--cert", "my.crt", "--key", "my.key"]],
  ];
  for (const [config, args] of ways) {
    test(`${JSON.stringify(config)} ${args.join(" ")} -> your own`, async () => {
      const { folder, pair } = await folderWithPair(config);
      expect(await openIn(folder, args)).toMatchObject({ isSelfSigned: false, sha256: thumbprintOf(pair) });
    });
  }

  const switches: [config: object, args: string[], isOn: boolean][] = [
    [{ https: true }, [], true],
    [{ ssl: true }, [], true],
    [{}, ["--ssl"], true],
    [{ https: false }, ["--ssl"], true],
    [{ https: true }, ["--no-ssl"], false],
    [{ ssl: false }, [], false],
    [{}, [], false],
  ];
  for (const [config, args, isOn] of switches) {
    test(`${JSON.stringify(config)} ${args.join(" ")} -> ${isOn ? "self-signed" : "plain HTTP"}`, async () => {
      const folder = createFolder({ "db.json": catalog(), "standin.json": config });
      expect((await openIn(folder, args))?.isSelfSigned).toBe(isOn || undefined);
    });
  }

  describe("that cannot be used stops the start", () => {
    type Mistake = [name: string, change: (folder: string) => Promise<void> | void, args: string[], told: RegExp];
    const mistakes: Mistake[] = [
      [
        "a missing certificate",
        () => {},
        pairArgs("gone.crt"),
        /certificate \S*gone\.crt cannot be read: it does not exist\./,
      ],
      [
        "a missing key",
        () => {},
        pairArgs("my.crt", "gone.key"),
        /key \S*gone\.key cannot be read: it does not exist\./,
      ],
      ["a certificate alone", () => {}, ["--cert", "my.crt"], /a key, and --key \("ssl\.key"\) is missing/],
      ["a key alone", () => {}, ["--ssl", "--key", "my.key"], /a key, and --cert \("ssl\.cert"\) is missing/],
      ["no certificate", put("my.crt", "hello"), pairArgs(), /my\.crt is not a certificate in PEM format/],
      ["an empty certificate", put("my.crt", ""), pairArgs(), /my\.crt is not a certificate in PEM format/],
      ["no key", put("my.key", "hello"), pairArgs(), /my\.key is not an unencrypted private key in PEM format/],
      ["the two exchanged", () => {}, pairArgs("my.key", "my.crt"), /my\.key is not a certificate/],
      [
        "a key of another",
        async (folder) => writeFileSync(join(folder, "my.key"), (await createPair()).key),
        pairArgs(),
        /my\.crt and the key \S*my\.key do not belong together/,
      ],
      [
        "an encrypted key",
        (folder) => {
          const key = createPrivateKey(readFileSync(join(folder, "my.key")));
          const locked = key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" });
          writeFileSync(join(folder, "my.key"), locked);
        },
        pairArgs(),
        /my\.key is not an unencrypted private key/,
      ],
      [
        "an expired certificate",
        async (folder) =>
          write({ cert: join(folder, "my.crt"), key: join(folder, "my.key") }, await createPair(-30, -1)),
        pairArgs(),
        /my\.crt expired on /,
      ],
    ];
    for (const [name, change, args, told] of mistakes) {
      test(`${name}: a message that says so`, async () => {
        const { folder } = await folderWithPair();
        await change(folder);
        const failure = await openIn(folder, args).catch((thrown: unknown) => thrown);
        expect(failure).toMatchObject({ name: "StartError", message: expect.stringMatching(told) });
        expect((failure as Error).message).not.toMatch(/PRIVATE KEY|\n/);
      });
    }

    for (const [name, change, args, told] of mistakes.filter(([, , , told]) =>
      /gone\\.crt|belong|expired/.test(String(told)),
    )) {
      test(`${name}, by the command line: one line, exit code 1, no stack, nothing left behind`, async () => {
        const { folder } = await folderWithPair();
        await change(folder);
        const { exit, output } = runKept(["db.json", "--port", "0", ...args], folder);
        expect(await exit).toBe(1);
        expect(output.stderr).toMatch(told);
        expect(output.stderr.trim().split("\n")).toHaveLength(1);
        expect(output.stdout).toBe("");
        expect(readdirSync(folder).sort()).toEqual(["db.json", "my.crt", "my.key", "standin.json"]);
      });
    }

    test("ssl that is neither a switch nor a pair", () => {
      const folder = createFolder({ "standin.json": { ssl: "yes" } });
      expect(() => resolveServeOptions([], folder)).toThrow(
        'standin.json: "ssl" is "yes"; it must be true, false or { "cert"',
      );
    });

    function pairArgs(cert = "my.crt", key = "my.key"): string[] {
      return ["--cert", cert, "--key", key];
    }

    function put(name: string, content: string): (folder: string) => void {
      return (folder) => writeFileSync(join(folder, name), content);
    }
  });
});

describe("the handshake", () => {
  test("TLS 1.2 and 1.3 are spoken, TLS 1.1 and 1.0 are refused, and the server keeps running", async () => {
    const served = await serveKept(["db.json", "--ssl"], createFolder({ "db.json": catalog() }));
    const only = (version: string) => ({ minVersion: version, maxVersion: version, ciphers: "ALL:@SECLEVEL=0" });
    expect((await shakeHands(portOf(served), only("TLSv1.2"))).protocol).toBe("TLSv1.2");
    expect((await shakeHands(portOf(served), only("TLSv1.3"))).protocol).toBe("TLSv1.3");
    for (const version of ["TLSv1", "TLSv1.1"]) {
      await expect(shakeHands(portOf(served), only(version)), version).rejects.toThrow(/protocol version|alert/i);
    }
    expect(await getPinned(served.url, "/products/1", printedBy(served))).toMatchObject({ id: 1 });
    await served.stop();
    expect(served.output.stderr).toBe("");
  });

  test("a plain HTTP connection is closed, and the server continues", async () => {
    const served = await serveKept(["db.json", "--ssl"], createFolder({ "db.json": catalog() }));
    for (const words of ["GET /products HTTP/1.1\r\nHost: x\r\n\r\n", "nonsense\r\n\r\n", "\x16\x03"]) {
      const received = await new Promise<string>((resolve) => {
        let answer = "";
        const socket = connectPlainly(portOf(served), "127.0.0.1", () => {
          if (words.startsWith("\x16")) socket.end(words, "latin1");
          else socket.write(words, "latin1");
        });
        socket.on("data", (piece) => {
          answer += piece.toString("latin1");
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(answer));
      });
      expect(received).not.toContain("Steel");
    }
    expect(await getPinned(served.url, "/products/1", printedBy(served))).toMatchObject({ id: 1 });
    await served.stop();
    expect(served.output.stderr).toBe("");
  });
});

function thumbprintOf({ cert }: Pair): string {
  return new X509Certificate(cert).fingerprint256.replaceAll(":", "");
}

function write(files: Pair, { cert, key }: Pair): void {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}
