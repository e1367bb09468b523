/** Loaded into a server before it starts: the first message begins a CPU profile, the second one ends and sends it. */
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });
let isOn = false;

process.on("message", async () => {
  isOn = !isOn;
  if (isOn) {
    await session.post("Profiler.start");
    process.send("begun");
  } else {
    const { profile } = await session.post("Profiler.stop");
    process.send(profile);
  }
});
process.channel.unref();
