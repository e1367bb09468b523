import { readApiDocument } from "../../openapi/read/load-api-document.ts";
import type { Example, ExampleCheck } from "../example.ts";
import { createValidation, type ValidationOptions } from "../validation.ts";
import type { ReadCollection } from "./postman.ts";
import { describeRequests, operationKey } from "./postman-requests.ts";

/** Gives examples the check of requests by the saved requests whose responses are successes. */
export async function withChecks(
  { examples, saved }: Pick<ReadCollection, "examples" | "saved">,
  file: string,
  validation: ValidationOptions,
): Promise<{ examples: Example[] }> {
  const good = [...new Set([...saved.values()].filter(({ isSuccess }) => isSuccess).map(({ request }) => request))];
  const { root, keys } = describeRequests(good);
  const document = await readApiDocument({ file, root });
  const checkOf = createValidation(document, validation);
  const checks = new Map<string | undefined, ExampleCheck>(
    document.operations.map((operation) => [
      keys.get(`${operation.method} ${operation.path.text}`),
      checkOf(operation),
    ]),
  );
  const checked = examples.map((example) => {
    const known = saved.get(example.request);
    const check = known && checks.get(operationKey(known.request));
    return check ? { ...example, request: { ...example.request, check } } : example;
  });
  return { examples: checked };
}
