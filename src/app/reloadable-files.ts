import { basename } from "node:path";
import { keepsImports } from "../base/files/import-file.ts";
import type { Service } from "../http/contract.ts";
import type { Edge } from "../http/edge.ts";
import { findInterceptor, loadInterceptors } from "../http/express/load-interceptors.ts";

/** A file that a running server can load again, such as a plugin. */
interface ReloadableFile {
  /** The path as `baselineOf` knows it. */
  readonly file: string;
  readonly name: string;
  /** Rejects if the new version cannot be used: the current one stays then. */
  reload(): Promise<void>;
}

type ReloadingEdge = Edge & Partial<Pick<Service, "features">>;

/** The interceptors, and the files that features reload by themselves. */
export function reloadableFiles({ steps, features = [] }: ReloadingEdge): ReloadableFile[] {
  const interceptors = steps.flatMap((step) => {
    const file = step.kind === "interceptor" ? interceptorFile(step.file) : undefined;
    if (step.kind !== "interceptor" || file === undefined) return [];
    const reload = async (): Promise<void> => {
      step.functions = await loadInterceptors(step.file, true);
    };
    return [{ file, name: step.file, reload }];
  });
  const ofFeatures = features.flatMap(({ watched }) =>
    (watched?.files() ?? []).map((file) => ({ file, name: basename(file), reload: async () => watched?.reload(file) })),
  );
  return [...interceptors, ...ofFeatures];
}

/** The file of an interceptor; undefined for a function of a program, and for a package. */
export function interceptorFile(entry: string): string | undefined {
  return /[./\\]/.test(entry) ? findInterceptor(entry) : undefined;
}

/** Says which files a reload does not reach; undefined if it reaches all. */
export function reloadLimit(file: string, name: string): string | undefined {
  if (!keepsImports(file)) return undefined;
  return `${name} is reloaded, but not the files that it imports: restart standin after changing those.`;
}
