interface CsharpTest {
  readonly title: string;
  readonly className: string;
  readonly method: string;
  /** The statements of the test, each line without the indent of the method. */
  readonly lines: readonly string[];
}

/** The namespaces of the types that tests use. All are named: a project may have turned implicit ones off. */
const NAMESPACES: readonly (readonly [name: string, types: RegExp])[] = [
  ["System", /\b(Uri|Guid|Exception)\b/],
  ["System.Diagnostics", /\bStopwatch\b/],
  ["System.Linq", /\.First\(\)/],
  ["System.Net.Http", /\bHttp(Client|Method|RequestMessage|RequestException)\b/],
  ["System.Net.Http.Json", /\bReadFromJsonAsync\b/],
  ["System.Text", /\bEncoding\b/],
  ["System.Text.Json", /\bJson(Exception|Element)\b/],
  ["System.Threading", /\bCancellationTokenSource\b/],
  ["System.Threading.Tasks", /./],
  ["Xunit", /./],
];

/** A file with one test for xUnit. */
export function csharpTest({ title, className, method, lines }: CsharpTest): string {
  const code = lines.filter((line) => !line.startsWith("//")).join("\n");
  return [
    ...NAMESPACES.filter(([, types]) => types.test(code)).map(([name]) => `using ${name};`),
    "",
    `public class ${className}`,
    "{",
    `    [Fact(DisplayName = ${csharpText(title)})]`,
    `    public async Task ${method}()`,
    "    {",
    ...lines.map((line) => (line === "" ? "" : `        ${line}`)),
    "    }",
    "}",
    "",
  ].join("\n");
}

/** The escapes of JSON texts are all known to C#; it takes two more letters for the end of a line. */
export function csharpText(value: string): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
