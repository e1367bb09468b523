import type { PathTemplate } from "../read/path-template.ts";

/** One step of a path, as far as binding is concerned. */
export type PathStep =
  | { readonly kind: "fixed"; readonly text: string }
  /** `label` is the text before it: `key=` of `/stores/key={key}`. */
  | { readonly kind: "wildcard"; readonly name: string; readonly label?: string };

/**
 * A path without what says nothing about collections: a trailing slash, `.json` at the end (`/pets.json`,
 * `/pets/{id}.json`), and the brackets of OData (`/pets('{id}')`). Undefined for paths with other mixed segments.
 */
export function pathStepsOf(path: PathTemplate): readonly PathStep[] | undefined {
  if (!STEPS.has(path)) STEPS.set(path, readSteps(path));
  return STEPS.get(path);
}

/** Reads a path as another one from now on. */
export function readAs(path: PathTemplate, steps: readonly PathStep[]): void {
  STEPS.set(path, steps);
}

const STEPS = new WeakMap<PathTemplate, readonly PathStep[] | undefined>();

function readSteps({ segments, names }: PathTemplate): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  let passed = 0;
  for (const [position, segment] of segments.entries()) {
    const isLast = position === segments.length - 1;
    if (segment.kind === "literal") {
      if (segment.text === "" && isLast) continue;
      steps.push({ kind: "fixed", text: isLast ? withoutFormat(segment.text) : segment.text });
    } else if (segment.kind === "wildcard") {
      steps.push({ kind: "wildcard", name: names[passed++]! });
    } else {
      const [before = "", after = "", ...more] = segment.texts;
      const name = names[passed]!;
      passed += segment.texts.length - 1;
      if (more.length > 0) return undefined;
      if (/^[\w-]+=$/.test(before) && after === "") {
        steps.push({ kind: "wildcard", name, label: before });
        continue;
      }
      const collection = /^(.+)\(['"]?$/.exec(before)?.[1];
      if (collection !== undefined && /^['"]?\)$/.test(after)) steps.push({ kind: "fixed", text: collection });
      else if (before !== "" || after !== ".json" || !isLast) return undefined;
      steps.push({ kind: "wildcard", name });
    }
  }
  return steps;
}

/** The same for all paths that lead to the same collection or record. */
export function pathKey(steps: readonly PathStep[]): string {
  return steps.map((step) => (step.kind === "fixed" ? `/${step.text}` : `/${step.label ?? ""}{}`)).join("");
}

/** As people write it. */
export function pathText(steps: readonly PathStep[]): string {
  const texts = steps.map((step) => (step.kind === "fixed" ? `/${step.text}` : `/${step.label ?? ""}{${step.name}}`));
  return texts.join("") || "/";
}

function withoutFormat(text: string): string {
  return text.length > 5 ? text.replace(/\.json$/i, "") : text;
}
