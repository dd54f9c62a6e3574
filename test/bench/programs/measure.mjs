/**
 * Loaded before every program of the benchmarks: says on request how busy the process was. Plain JavaScript, because it runs beside the built program, where nothing compiles.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 5;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
let busySince = process.cpuUsage();

/** How late timers were, and how much processor time was used, since the last time that somebody asked. */
function takeBusyness() {
  const { user, system } = process.cpuUsage(busySince);
  busySince = process.cpuUsage();
  const loopDelayP99Ms = Math.max(0, delay.percentile(99) / 1e6 - resolutionMs);
  delay.reset();
  return { cpuMs: (user + system) / 1000, loopDelayP99Ms };
}

process.on('message', ({ id, question }) => {
  if (question === 'busyness') process.send({ id, answer: takeBusyness() });
});
// An interrupt at the terminal reaches every process of the group; the parent decides when its children end.
process.on('SIGINT', () => undefined);
