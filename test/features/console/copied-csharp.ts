import { expect } from "vitest";
import { askAt } from "../../support/api.ts";
import { runProgram } from "./copied-code.ts";

/** Enough of .NET and xUnit to send the requests of a test and to judge by it; nothing is compiled. */
export async function runCsharp(code: string): Promise<void> {
  const [, body = ""] = /public async Task \w+\(\)\n {4}\{\n(.*)\n {4}\}\n\}/s.exec(code) ?? [];
  expectNamespaces(code);
  const statements = body
    .replace(/"""(.*?)"""/g, (_all, text: string) => JSON.stringify(text))
    .replace(/new HttpClient \{ BaseAddress = (.*?) \};/, "new HttpClient($1);")
    .replace(/\b(?:using )?var (\w+) =/g, "const $1 =")
    .replace(/foreach \(var (\w+) in new\[\] \{ (.*?) \}\)/g, "for (const $1 of [$2])")
    .replace(/Async<\w+>/g, "Async")
    .replaceAll("(int)", "");
  expect(statements).toContain("Assert.");
  await runProgram(statements, DOTNET);
}

/** Where the types of a test are. As in the clients that standin writes, no project needs implicit namespaces. */
const NAMESPACES: Readonly<Record<string, string>> = {
  CancellationTokenSource: "System.Threading",
  Encoding: "System.Text",
  Exception: "System",
  Fact: "Xunit",
  Guid: "System",
  HttpClient: "System.Net.Http",
  HttpMethod: "System.Net.Http",
  HttpRequestException: "System.Net.Http",
  HttpRequestMessage: "System.Net.Http",
  JsonElement: "System.Text.Json",
  JsonException: "System.Text.Json",
  ReadFromJsonAsync: "System.Net.Http.Json",
  Stopwatch: "System.Diagnostics",
  StringContent: "System.Net.Http",
  Task: "System.Threading.Tasks",
  Uri: "System",
  First: "System.Linq",
};

function expectNamespaces(code: string): void {
  const used = [...code.matchAll(/^using ([\w.]+);$/gm)].map(([, name]) => name);
  const plain = code.replace(/""".*?"""|"(?:[^"\\]|\\.)*"|\/\/.*/g, '""');
  const needed = Object.entries(NAMESPACES).filter(([type]) => new RegExp(`\\b${type}\\b`).test(plain));
  expect(used).toEqual([...new Set(needed.map(([, name]) => name))].sort());
}

type Sent = { method: string; path: string; body?: string };

class HttpClient {
  readonly #url: string;
  readonly #headers: Record<string, string> = {};
  readonly DefaultRequestHeaders = {
    Add: (name: string, value: string) => {
      this.#headers[name] = value;
    },
  };

  constructor({ href }: URL) {
    this.#url = href.replace(/\/$/, "");
  }

  GetAsync(path: string, signal?: AbortSignal) {
    return this.SendAsync({ method: "GET", path }, signal);
  }

  DeleteAsync(path: string) {
    return this.SendAsync({ method: "DELETE", path });
  }

  PutAsync(path: string, _body: null) {
    return this.SendAsync({ method: "PUT", path });
  }

  PostAsync(path: string, body: string) {
    return this.SendAsync({ method: "POST", path, body });
  }

  async GetStringAsync(path: string) {
    return (await this.GetAsync(path)).Content.ReadAsStringAsync();
  }

  async SendAsync({ method, path, body }: Sent, signal?: AbortSignal) {
    const left = new Promise<never>((_resolve, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason)),
    );
    const sent = askAt(this.#url, `${method} ${path}`, { headers: this.#headers, ...(body !== undefined && { body }) });
    const { status, headers, text } = await Promise.race([sent, left]);
    return {
      StatusCode: status,
      Headers: { GetValues: (name: string) => ({ First: () => headers.get(name) }) },
      Content: { ReadAsStringAsync: async () => text, ReadFromJsonAsync: async () => JSON.parse(text) },
    };
  }
}

const throws = (work: () => Promise<unknown>): Promise<void> => expect(work()).rejects.toThrow();

const DOTNET = {
  HttpClient,
  Uri: URL,
  HttpMethod: String,
  HttpRequestMessage: function HttpRequestMessage(method: string, path: string) {
    return { method: String(method), path };
  },
  StringContent: function StringContent(text: string) {
    return Buffer.from(text);
  },
  Encoding: {},
  Guid: { NewGuid: () => ({ ToString: () => crypto.randomUUID().replaceAll("-", "") }) },
  Stopwatch: {
    StartNew() {
      const startedAt = performance.now();
      return {
        get ElapsedMilliseconds() {
          return performance.now() - startedAt;
        },
      };
    },
  },
  CancellationTokenSource: function CancellationTokenSource(ms: number) {
    return { Token: AbortSignal.timeout(ms) };
  },
  Assert: {
    Equal: (wanted: unknown, given: unknown) => expect(given).toBe(wanted),
    NotEqual: (other: unknown, given: unknown) => expect(given).not.toBe(other),
    True: (given: unknown) => expect(given).toBe(true),
    Contains: (part: string, given: string) => expect(given).toContain(part),
    ThrowsAsync: throws,
    ThrowsAnyAsync: throws,
  },
};
