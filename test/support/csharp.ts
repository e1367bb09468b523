/**
 * The C# of the pages, in JavaScript: enough of HttpClient to send the requests a program sends and to print what it
 * prints. It shows that headers, addresses and answers are right. It does not compile; `dotnet` is not needed here.
 */
export function toJavaScript(csharp: string): string {
  const statements = csharp
    .replace(/^using [\w.]+;$/gm, "")
    .replace(/^record .*;$/gm, "")
    .replace(/\b(?:using )?var (\w+) =/g, "let $1 =")
    .replace(/new (\w*)(\([^()]*\))?\s*\{([^{}]*)\}/g, initialiser)
    .replace(/\(int\)/g, "")
    .replace(/(\w+Async)<\w+>/g, "$1")
    .replace(/!(?=\.)/g, "")
    .replace(/ == /g, " === ")
    .replaceAll(".Contains(", ".includes(")
    .replaceAll("Console.WriteLine(", "print(");
  return `${HTTP_CLIENT}\n${statements}`;
}

/** `new HttpClient { BaseAddress = x }` sets properties; `new { price = 5 }` is an object. */
function initialiser(_text: string, type: string, parameters = "()", inner: string): string {
  const object = `{${inner.replace(/(\w+) = /g, "$1: ")}}`;
  return type === "" ? object : `Object.assign(new ${type}${parameters}, ${object})`;
}

const HTTP_CLIENT = `
import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { connect } from "node:tls";
import { once } from "node:events";
import { json, text } from "node:stream/consumers";

const print = (value) => console.log(value === true ? "True" : value === false ? "False" : value);
class HttpClientHandler {}
class Uri extends URL {}
class AuthenticationHeaderValue { constructor(scheme, value) { this.text = scheme + " " + value; } }
const HashAlgorithmName = { SHA256: "fingerprint256" };
const Task = { Delay: (ms) => new Promise((done) => setTimeout(done, ms)) };

class RequestHeaders {
  list = {};
  Add(name, value) { this.list[name] = value; }
  set Authorization(header) { this.list.Authorization = header.text; }
}

class HttpClient {
  DefaultRequestHeaders = new RequestHeaders();
  constructor(handler) { this.handler = handler; }
  GetAsync(path) { return this.send("GET", path); }
  DeleteAsync(path) { return this.send("DELETE", path); }
  PostAsJsonAsync(path, value) { return this.send("POST", path, value); }
  PutAsJsonAsync(path, value) { return this.send("PUT", path, value); }
  PatchAsJsonAsync(path, value) { return this.send("PATCH", path, value); }
  async GetStringAsync(path) { return text((await this.GetAsync(path)).answer); }
  async send(method, path, value) {
    const url = new URL(path, this.BaseAddress);
    const headers = { ...this.DefaultRequestHeaders.list };
    if (value !== undefined) headers["Content-Type"] = "application/json; charset=utf-8";
    const isSecure = url.protocol === "https:";
    const options = isSecure ? { createConnection: await this.connect(url) } : { agent: false };
    const sent = (isSecure ? requestSecurely : request)(url, { method, headers, ...options });
    sent.end(value === undefined ? undefined : JSON.stringify(value));
    const [answer] = await once(sent, "response");
    return new HttpResponseMessage(answer);
  }
  async connect({ hostname, port }) {
    const socket = connect({ host: hostname, port, servername: hostname, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { fingerprint, fingerprint256 } = socket.getPeerCertificate();
    const prints = { fingerprint256 };
    const certificate = {
      Thumbprint: fingerprint.replaceAll(":", ""),
      GetCertHashString: (name) => prints[name].replaceAll(":", ""),
    };
    if (this.handler.ServerCertificateCustomValidationCallback(null, certificate, null, null)) return () => socket;
    socket.destroy();
    throw new Error("The SSL connection could not be established");
  }
}

class HttpResponseMessage {
  constructor(answer) {
    this.answer = answer;
    this.StatusCode = answer.statusCode;
    this.Headers = {
      GetValues: (name) => ({ First: () => answer.headers[name.toLowerCase()] }),
      RetryAfter: { Delta: { Value: Number(answer.headers["retry-after"]) * 1000 } },
    };
    this.Content = { ReadAsStringAsync: () => text(answer), ReadFromJsonAsync: async () => inPascalCase(await json(answer)) };
  }
}

function inPascalCase(object) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key[0].toUpperCase() + key.slice(1), value]));
}
`;
