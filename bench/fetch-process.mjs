/** `fetch-process.mjs <data file>`: serves the data by `standin/fetch` and measures the requests that its parent sends. */
import { readFileSync } from "node:fs";
import { createFetch } from "standin/fetch";

const api = await createFetch({ data: JSON.parse(readFileSync(process.argv[2], "utf8")) });

process.on("message", async ({ requests, warmUpSeconds, seconds }) => {
  await send(requests, warmUpSeconds);
  process.send(await send(requests, seconds));
});
process.send("ready");

/** In portions: the platform makes the requests before, and reads the responses after what is measured. */
async function send(requests, seconds) {
  const endsAt = performance.now() + seconds * 1000;
  let [answered, ownMicroseconds] = [0, 0];
  const startedAt = process.cpuUsage();
  while (performance.now() < endsAt) {
    const made = requests.map(({ path, ...init }) => new Request(`http://localhost${path}`, init));
    const responses = [];
    const before = process.cpuUsage();
    for (const request of made) responses.push(await api.fetch(request));
    ownMicroseconds += microsecondsSince(before);
    for (const response of responses) {
      await response.text();
      if (!response.ok) throw new Error(`${response.status}`);
    }
    answered += made.length;
  }
  return { fetch: ownMicroseconds / answered, whole: microsecondsSince(startedAt) / answered };
}

function microsecondsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
