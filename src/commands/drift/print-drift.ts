import { toJson } from "../../base/json/json.ts";
import { type Drift, type DriftFinding, isBreaking } from "../../features/record/feature.ts";
import { printable, type Terminal } from "../terminal.ts";

export interface ShownDrift {
  readonly source: string;
  readonly against: string;
  readonly drift: Drift;
}

/** For people: breaking differences first. */
export function driftLines(terminal: Terminal, { source, against, drift }: ShownDrift, isQuiet: boolean): string[] {
  const breaking = drift.findings.filter(isBreaking);
  const others = drift.findings.filter((one) => !isBreaking(one));
  const silent = drift.notAsked.map(({ operation, why }) => [operation, why] as const);
  const rows = (findings: readonly DriftFinding[]) => findings.map((one) => [one.operation, textOf(one)] as const);
  const asked = `${counted(drift.exchanges.length, "request")} to ${counted(drift.operations, "operation")}`;
  return [
    ...section(terminal, "breaking", rows(breaking)),
    ...(isQuiet ? [] : section(terminal, "not breaking", rows(others))),
    ...(isQuiet ? [] : section(terminal, "not compared", silent)),
    ...(isQuiet && breaking.length === 0
      ? []
      : [
          `${printable(source)} against ${printable(against)}: ${asked}, ${breaking.length} breaking, ${others.length} not breaking`,
        ]),
  ];
}

function section(terminal: Terminal, title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([operation]) => printable(operation).length));
  return [
    terminal.style("bold", title),
    ...rows.map(([operation, text]) => `  ${printable(operation).padEnd(width)}  ${printable(text)}`),
    "",
  ];
}

/** `/data/*\/price  type changed: was number, is string` */
function textOf({ kind, pointer, message }: DriftFinding): string {
  return `${pointer === "" ? "" : `${pointer}  `}${kind}: ${message}`;
}

export function driftJson({ source, against, drift }: ShownDrift): string {
  const { findings, notAsked, operations, exchanges } = drift;
  const breaking = findings.filter(isBreaking).length;
  const shown = {
    source,
    against,
    operations,
    requests: exchanges.length,
    breaking,
    notBreaking: findings.length - breaking,
    findings: findings.map((one) => ({ ...one, isBreaking: isBreaking(one) })),
    notCompared: notAsked.map(({ operation, why }) => ({ operation, why })),
  };
  return JSON.stringify(toJson(shown), null, 2);
}

/** One test for each operation with a difference, and one for those without. */
export function driftJunit({ source, against, drift }: ShownDrift): string {
  const names = [...new Set([...drift.findings, ...drift.notAsked].map(({ operation }) => operation))];
  const cases = names.map((name) => {
    const findings = drift.findings.filter(({ operation }) => operation === name);
    const breaking = findings.filter(isBreaking);
    const failures = breaking.map((one) => `<failure type="${escaped(one.kind)}" message="${escaped(textOf(one))}"/>`);
    const others = findings.filter((one) => !isBreaking(one)).map(textOf);
    const notes = others.length > 0 ? [`<system-out>${escaped(others.join("\n"))}</system-out>`] : [];
    const silent = drift.notAsked.filter(({ operation }) => operation === name);
    const errors = silent.map(
      ({ why, isFailure }) => `<${isFailure ? "error" : "skipped"} message="${escaped(why)}"/>`,
    );
    return {
      failures,
      errors: silent.some(({ isFailure }) => isFailure),
      xml: [...failures, ...errors, ...notes],
      name,
    };
  });
  const count = Math.max(cases.length, drift.operations);
  const failed = cases.filter(({ failures }) => failures.length > 0).length;
  const broken = cases.filter(({ errors }) => errors).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escaped(`${source} against ${against}`)}" tests="${count}" failures="${failed}" errors="${broken}">`,
    ...cases.map(({ name, xml }) => `  <testcase classname="drift" name="${escaped(name)}">${xml.join("")}</testcase>`),
    "</testsuite>",
  ].join("\n");
}

function escaped(text: string): string {
  const plain = printable(text);
  return plain.replace(/[&<>"\n]/g, (one) => `&#${one.charCodeAt(0)};`);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
