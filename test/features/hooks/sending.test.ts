import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { type SenderParts, WebhookSender } from "../../../src/features/hooks/send.ts";
import type { Resolve } from "../../../src/features/hooks/targets.ts";
import { createPair } from "../../support/certificates.ts";

const WEBHOOK = { id: "msg_1", event: "orders.created", body: "{}", attempt: 1, depth: 1 } as const;

function openSender(parts: SenderParts): (url: string) => Promise<number> {
  const sender = new WebhookSender(parts);
  onTestFinished(() => sender.close());
  return (url) => sender.send({ ...WEBHOOK, url, signing: undefined, sandbox: undefined });
}

async function listen(server: Server & { closeAllConnections(): void }): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Leads every name to these addresses, one for each look. */
function resolving(...addresses: readonly (readonly string[])[]): { resolve: Resolve; names: string[] } {
  const names: string[] = [];
  return {
    names,
    resolve(name, _options, callback) {
      const found = addresses[Math.min(names.length, addresses.length - 1)] ?? [];
      names.push(name);
      callback(
        null,
        found.map((address) => ({ address, family: 4 })),
      );
    },
  };
}

test("a receiver has ten seconds", async () => {
  const server = createServer((req) => req.resume());
  const port = await listen(server);
  const asked: number[] = [];
  const ending = new AbortController();
  const send = openSender({
    timeout(ms) {
      asked.push(ms);
      return ending.signal;
    },
  });
  const sent = expect(send(`http://127.0.0.1:${port}/`)).rejects.toThrow("no response within 10 s");
  await once(server, "request");
  ending.abort(new DOMException("over", "TimeoutError"));
  await sent;
  expect(asked).toEqual([10_000]);
});

test("the request says whom it is for, and goes to the address that was checked", async () => {
  const { cert, key } = await createPair();
  const seen: unknown[] = [];
  const server = createSecureServer({ cert, key }, (req, res) => {
    const { servername, localAddress } = req.socket as TLSSocket & { servername: string };
    seen.push([servername, req.headers.host, localAddress]);
    req.resume();
    res.end();
  });
  const port = await listen(server);
  const { resolve, names } = resolving(["127.0.0.1"]);
  expect(await openSender({ ca: cert, resolve })(`https://localhost:${port}/`)).toBe(200);
  expect(names).toEqual(["localhost"]);
  expect(seen).toEqual([["localhost", `localhost:${port}`, "127.0.0.1"]]);
  // The certificate is for localhost alone, and nobody is trusted without one.
  await expect(openSender({ ca: cert, resolve })(`https://other.test:${port}/`)).rejects.toThrow(/altnames/);
  await expect(openSender({ resolve })(`https://localhost:${port}/`)).rejects.toThrow(/self-signed/);
});

test("a name is looked up for every connection, and refused once it leads elsewhere", async () => {
  let count = 0;
  const server = createServer((req, res) => {
    count++;
    req.resume();
    res.setHeader("Connection", "close").end();
  });
  const url = `http://rebound.test:${await listen(server)}/`;
  const send = openSender(resolving(["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1", "169.254.169.254"]));
  expect(await send(url)).toBe(200);
  for (let look = 0; look < 2; look++) await expect(send(url)).rejects.toThrow("TARGET_NOT_ALLOWED: 169.254.169.254");
  expect(count).toBe(1);
});
