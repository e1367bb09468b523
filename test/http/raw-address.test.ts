import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { createFolder } from "../support/cli.ts";
import { serveKept } from "../support/kept-process.ts";
import { exchangeBytes, parseAnswer } from "../support/raw.ts";

const WORDS = {
  words: [
    { id: 1, name: "Tür" },
    { id: 2, name: "Tor" },
  ],
};
/** The bytes of `ü` in UTF-8, as `raw.ts` and the tests send them. */
const RAW = Buffer.from("ü").toString("latin1");
const END = "HTTP/1.1\r\nHost: localhost\r\n";

describe("an address with bytes beyond ASCII is read as if they were percent-encoded", () => {
  const exchange = async (bytes: string): Promise<string> =>
    exchangeBytes((await startApi({ data: structuredClone(WORDS) })).port, bytes);

  const requests: readonly [name: string, bytes: string, found: unknown][] = [
    ["in a value", `GET /words?name=T${RAW}r ${END}\r\n`, [WORDS.words[0]]],
    ["in several", `GET /words?name=T${RAW}r&name:ne=${RAW} ${END}\r\n`, [WORDS.words[0]]],
    [
      "with a body",
      `POST /words?x=${RAW} ${END}Content-Type: application/json\r\nContent-Length: 11\r\n\r\n{"name":""}`,
      { name: "", id: 3 },
    ],
    ["on a connection to be kept", `GET /words?name=T${RAW}r ${END}Connection: keep-alive\r\n\r\n`, [WORDS.words[0]]],
  ];
  for (const [name, bytes, found] of requests) {
    test(name, async () => {
      const { status, headers, body } = parseAnswer(await exchange(bytes));
      expect(status).toBeLessThan(300);
      expect(headers.connection).toBe("close");
      expect(JSON.parse(Buffer.from(body, "latin1").toString())).toEqual(found);
    });
  }

  test("behind another request in the same bytes", async () => {
    const both = await exchange(`GET /words/2 ${END}\r\nGET /words?name=T${RAW}r ${END}\r\n`);
    expect(both).toContain('{"id":2,"name":"Tor"}');
  });

  test("in the path", async () => {
    const { status, body } = parseAnswer(await exchange(`GET /w${RAW} ${END}\r\n`));
    expect([status, JSON.parse(body).code]).toEqual([404, "COLLECTION_NOT_FOUND"]);
  });

  for (const [name, line] of [
    ["another byte that no address may have", "GET /words?name=\u0001 "],
    ["a method that there is not", `G?T /words?name=${RAW} `],
  ]) {
    test(`${name} is refused`, async () => {
      const { status, body } = parseAnswer(await exchange(`${line}${END}\r\n`));
      expect([status, JSON.parse(body).code]).toEqual([400, "REQUEST_MALFORMED"]);
    });
  }
});

test("the same over HTTPS", async () => {
  const served = await serveKept(["db.json", "--ssl"], createFolder({ "db.json": WORDS }));
  const socket = connect({ port: Number(new URL(served.url).port), host: "localhost", rejectUnauthorized: false });
  socket.write(`GET /words?name=T${RAW}r ${END}\r\n`, "latin1");
  let received = "";
  for await (const piece of socket) received += piece;
  expect(received).toContain('[{"id":1,"name":"Tür"}]');
  await served.stop();
});
