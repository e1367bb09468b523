import type { Operation } from "../read/api-document.ts";
import { type PathStep, pathKey, pathStepsOf, readAs } from "./path-shape.ts";

interface Verb {
  readonly words: readonly string[];
  readonly methods: readonly string[];
  /** The path without the word. */
  readonly of: PathStep["kind"];
}

const VERBS: readonly Verb[] = [
  { words: ["create", "store", "add", "new"], methods: ["POST"], of: "fixed" },
  { words: ["list", "all", "index"], methods: ["GET"], of: "fixed" },
  { words: ["show", "get", "detail", "details"], methods: ["GET"], of: "wildcard" },
  { words: ["update", "edit"], methods: ["PUT", "PATCH", "POST"], of: "wildcard" },
  { words: ["delete", "destroy", "remove"], methods: ["DELETE"], of: "wildcard" },
];

/**
 * Reads `POST /pets/create` as `POST /pets`, and `GET /pets/{id}/show` as `GET /pets/{id}`, where the document has neither.
 * A word alone is no sign: the paths of one collection must have two of them, or one beside a path without.
 */
export function leaveOutVerbs(operations: readonly Operation[]): void {
  const paths = new Map<string, VerbPath>();
  for (const operation of operations) {
    const steps = pathStepsOf(operation.path);
    if (!steps) continue;
    const key = pathKey(steps);
    const known = paths.get(key);
    if (known) known.own.push(operation);
    else paths.set(key, { steps, own: [operation] });
  }
  const parents = new Set([...paths.values()].map(({ steps }) => pathKey(steps.slice(0, -1))));
  const found = [...paths].flatMap(([key, { steps, own }]) => {
    const shorter = steps.slice(0, -1);
    return isVerb(steps, own) && !parents.has(key) && !isTaken(paths.get(pathKey(shorter))?.own, own)
      ? [{ own, shorter, collection: collectionOf(shorter) }]
      : [];
  });
  for (const { own, shorter, collection } of found) {
    const others = found.filter((other) => other.collection === collection && other.own !== own);
    const isSure = others.length > 0 || paths.has(collection) || paths.has(`${collection}/{}`);
    // Two lists, or two ways to create, leave it open which is meant.
    const isLone = !others.some((other) => pathKey(other.shorter) === pathKey(shorter) && isTaken(other.own, own));
    if (isSure && isLone) for (const { path } of own) readAs(path, shorter);
  }
}

/** The operations of one path. */
interface VerbPath {
  readonly steps: readonly PathStep[];
  readonly own: Operation[];
}

function isVerb(steps: readonly PathStep[], operations: readonly Operation[]): boolean {
  const [before, last] = steps.slice(-2);
  if (last?.kind !== "fixed" || before === undefined) return false;
  const word = last.text.toLowerCase();
  const verb = VERBS.find(({ words, of }) => of === before.kind && words.includes(word));
  return verb !== undefined && operations.every(({ method }) => verb.methods.includes(method));
}

/** Whether the same is done without the word: a `POST` may be an action beside a `PUT`. */
function isTaken(known: readonly Operation[] | undefined, operations: readonly Operation[]): boolean {
  const changes = ["PUT", "PATCH"];
  return operations.some(({ method }) =>
    known?.some((one) => one.method === method || (method === "POST" && changes.includes(one.method))),
  );
}

function collectionOf(steps: readonly PathStep[]): string {
  return pathKey(steps.at(-1)?.kind === "wildcard" ? steps.slice(0, -1) : steps);
}
