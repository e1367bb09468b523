import { gzipSync } from "node:zlib";
import * as odd from "./odd-words.ts";
import { Random } from "./random.ts";

/** A request that no client should send, as bytes (one code unit each). None of them is a write that could succeed. */
export interface OddRequest {
  readonly bytes: string;
  /** Whether the server can tell where it ends: then it has exactly one answer, and another may follow on the socket. */
  readonly isFramed: boolean;
}

interface Body {
  readonly text: string;
  readonly headers: readonly string[];
}

const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded";

/** Makes odd requests without end; the same seed makes the same ones. */
export class OddRequests {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(): OddRequest {
    const kind = this.#random.below(9);
    if (kind < 3) return this.#read();
    if (kind < 5) return this.#unreadableWrite();
    if (kind < 6) return this.#wrongWrite();
    if (kind < 7) return this.#lie();
    if (kind < 8) return { bytes: this.#brokenHead(), isFramed: false };
    return { bytes: this.#random.bytes(300), isFramed: false };
  }

  /** Reads and unsupported methods, with odd URLs and headers. */
  #read(): OddRequest {
    return this.#framed(this.#random.pick(odd.METHODS), this.#target(), this.#headers());
  }

  #unreadableWrite(): OddRequest {
    const random = this.#random;
    const { text, headers } = this.#unreadableBody();
    const method = random.pick(["POST", "POST", "PUT", "PATCH", "DELETE"]);
    return this.#framed(method, random.pick(odd.WRITE_TARGETS), [...this.#headers(), ...headers], text);
  }

  #wrongWrite(): OddRequest {
    const random = this.#random;
    const line = random.pick(["POST /products", "POST /companies/1/products", "PUT /products/1", "PATCH /companies/2"]);
    const [method = "", path = ""] = line.split(" ");
    const query = random.chance(30) ? `?${this.#query()}` : "";
    return this.#framed(method, `${path}${query}`, [JSON_TYPE], random.pick(odd.WRONG_BODIES));
  }

  /** A body that is not as long as its head says, or chunks that are none. */
  #lie(): OddRequest {
    const random = this.#random;
    const body = '{"name":"x"}';
    const chunked = "Transfer-Encoding: chunked";
    const [lines, content] = random.pick<[string[], string]>([
      [[`Content-Length: ${body.length + 1 + random.below(99_999)}`], body],
      [[`Content-Length: ${1 + random.below(body.length - 1)}`], body],
      [["Content-Length: 99999999999999999999"], body],
      [["Content-Length: -1"], body],
      [["Content-Length: 1", "Content-Length: 2"], body],
      [["Content-Length: 12", chunked], body],
      [["Content-Length: 40", "Expect: 100-continue"], body],
      [["Transfer-Encoding: x"], body],
      [[`${chunked}, gzip`], body],
      [[chunked], random.pick([body, "zz\r\n", "c\r\n{\r\n", "ffffffffffffffff\r\n", "5;x=\x00\r\n"])],
    ]);
    const head = this.#head(random.pick(["POST", "PUT", "PATCH"]), random.pick(odd.WRITE_TARGETS), [
      ...lines,
      JSON_TYPE,
    ]);
    return { bytes: `${head}${content}`, isFramed: false };
  }

  /** A head that is no HTTP, or more of it than anybody reads. */
  #brokenHead(): string {
    const target = this.#target();
    const get = `GET ${target} HTTP/1.1\r\nHost: x\r\n`;
    return this.#random.pick([
      `GET ${target}\r\n\r\n`,
      `GET ${target} HTTP/9.9\r\nHost: x\r\n\r\n`,
      `GET ${target} HTTP/1.1\r\n\r\n`,
      `get ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET  ${target}  HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET ${target} HTTP/1.1\nHost: x\n\n`,
      `GET ${target}\xe4\xff HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /${"y".repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      "GET ? HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET # HTTP/1.1\r\nHost: x\r\n\r\n",
      `${get}Host: y\r\n\r\n`,
      `${get} : x\r\n\r\n`,
      `${get}A\x00B: x\r\n\r\n`,
      `${get}A: b\x01\x7f\r\n\r\n`,
      `${get} folded\r\n\r\n`,
      `${get}Expect: nonsense\r\n\r\n`,
      `${get}X: ${"x".repeat(17_000)}\r\n\r\n`,
      `${get}${"A: b\r\n".repeat(3000)}\r\n`,
      get,
      `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `FROBNICATE ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      // How a TLS connection begins.
      `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${this.#random.bytes(60)}`,
      "\r\n\r\n\r\n\r\n",
      "",
    ]);
  }

  /** A body that no route may take: reading it fails already. */
  #unreadableBody(): Body {
    const random = this.#random;
    const deep = 201 + random.below(3000);
    const json = (text: string): Body => ({ text, headers: [JSON_TYPE] });
    const form = (text: string): Body => ({ text, headers: [FORM_TYPE] });
    const typed = (type: string): Body => ({ text: '{"a":1}', headers: [`Content-Type: ${type}`] });
    const packed = (encoding: string, text = '{"a":1}'): Body => ({
      text,
      headers: [JSON_TYPE, `Content-Encoding: ${encoding}`],
    });
    return random.pick([
      json('{"name":"x"}'.slice(0, 1 + random.below(11))),
      json(`{"a":${random.pick(odd.BROKEN_VALUES)}}`),
      json(`{"a":"\t"}`),
      json("[".repeat(deep)),
      json(`${"[".repeat(deep)}${"]".repeat(deep)}`),
      json(`${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
      json('{"__proto__":{"polluted":true}}'),
      json('[{"a":[{"__proto__":null}]}]'),
      json('{"a":-.5}'),
      json(`{"a":"\xff${random.bytes(20)}`),
      json(`\x00${random.bytes(60)}`),
      typed("application/json; charset=latin1"),
      typed(random.pick(["text/plain", "a/b", ";", "/", "application/xml", "\xff/\xff"])),
      packed(random.pick(["gzip", "br", "deflate", "zip", "toString", "gzip, br"])),
      packed("gzip", gzipSync('{"a":1}').toString("latin1").slice(0, 12)),
      form('{"a":1}'),
      form("__proto__=1"),
      form("&a=1".repeat(1100)),
    ]);
  }

  #framed(method: string, target: string, headers: readonly string[], body?: string): OddRequest {
    const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
    return { bytes: `${this.#head(method, target, [...headers, ...length])}${body ?? ""}`, isFramed: true };
  }

  #head(method: string, target: string, headers: readonly string[]): string {
    return [`${method} ${target} HTTP/1.1`, `Host: ${this.#random.pick(odd.HOSTS)}`, ...headers, "", ""].join("\r\n");
  }

  #headers(): string[] {
    return this.#random.many(
      4,
      () => `${this.#random.pick(odd.HEADER_NAMES)}: ${this.#random.pick(odd.HEADER_VALUES)}`,
    );
  }

  #target(): string {
    const random = this.#random;
    if (random.chance(5)) return random.pick(odd.SPECIAL_TARGETS);
    const invented = `/${random.many(5, () => random.pick(odd.SEGMENTS)).join("/")}`;
    const path = random.chance(50) ? random.pick(odd.WRITE_TARGETS) : invented;
    return random.chance(70) ? `${path}?${this.#query()}` : path;
  }

  #query(): string {
    const random = this.#random;
    const pair = (): string =>
      `${random.pick(odd.PARAMETERS)}${random.pick(["=", "=", "=", "", "=="])}${random.pick(odd.VALUES)}`;
    return random.many(5, pair).join(random.pick(["&", "&", "&&", ";"]));
  }
}
