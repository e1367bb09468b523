import { Random } from "../compat/random.ts";
import { askAt } from "../support/api.ts";

interface Account {
  readonly id: number;
  readonly money: number;
}

/**
 * Moves money between accounts, each time in one batch that tests what it has read. Returns how many transfers went through;
 * each of them has left an entry in the log.
 */
export async function transfer(
  urls: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<number> {
  const random = new Random(seed + 1);
  let done = 0;
  for (let at = 0; at < count; at++) {
    const url = random.pick(urls);
    const accounts = (await askAt(url, "GET /accounts")).body as Account[];
    const from = random.pick(accounts);
    const to = random.pick(accounts.filter(({ id }) => id !== from.id));
    const move = ({ id, money }: Account, by: number): object => ({
      method: "PATCH",
      path: `/accounts/${id}`,
      headers: { "Content-Type": "application/json-patch+json" },
      body: [
        { op: "test", path: "/money", value: money },
        { op: "replace", path: "/money", value: money + by },
      ],
    });
    const amount = random.int(1, 10);
    const log = { method: "POST", path: "/log", body: { from: from.id, to: to.id, amount } };
    const requests = [log, move(from, -amount), move(to, amount)];
    const { status } = await askAt(url, "POST /__batch", { body: { requests } });
    if (status === 200) done++;
    else if (status !== 409) throw new Error(`A transfer ended with ${status}.`);
  }
  return done;
}
