/**
 * Loaded before a server that was forked: tells its parent, when asked, the longest turn of its event loop since the last
 * question, in milliseconds of CPU time, so that other programs on the machine do not count.
 */
let worst = 0;
let startedAt = performance.now();
let cpu = process.cpuUsage();

function turn() {
  const { user, system } = process.cpuUsage(cpu);
  worst = Math.max(worst, Math.min(performance.now() - startedAt, (user + system) / 1000));
  cpu = process.cpuUsage();
  startedAt = performance.now();
  setImmediate(turn);
}

setImmediate(turn).unref();
process.on("message", () => {
  process.send({ worst });
  worst = 0;
});
