/**
 * What `npm run bench` does: it runs the benchmarks that are named, or all, and prints one table. The progress goes to standard
 * error, the table to standard output. The status is 0 where everything ran: how fast a machine is, is no test.
 */
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Bench, fullScale, quickScale, type Row } from './bench.js';
import { graphql } from './graphql.js';
import { requests } from './requests.js';
import { share } from './share.js';
import { size } from './size.js';
import { soak } from './soak.js';
import { Stage } from './stage/stage.js';
import { start } from './start.js';
import { renderTable } from './table.js';
import { tokens } from './tokens.js';
import { turns } from './turns.js';
import { viewers } from './viewers.js';
import { web } from './web.js';

const usual: readonly Bench[] = [requests, turns, graphql, tokens, viewers, start, web];
/** `size` stores much first, `soak` lasts, and `share` does its worst to the machine: they run only where they are named. */
const benches: readonly Bench[] = [...usual, size, soak, share];

const help = `npm run bench -- [names] [--quick]

${benches.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join('\n')}

Without names all but the last three run, in about five minutes. Each starts the built service and its own PostgreSQL in a
temporary folder. "ratio" is how many times dearer we are than the baseline, in the same run on the same machine.

  --quick    a tiny load, to see that everything runs; the figures mean nothing
  --help     this text
`;

/** Where the lines go. */
export interface Output {
  table: (text: string) => void;
  progress: (text: string) => void;
}

/** Runs a command line and gives its exit status. */
export async function runBenchmarks(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
  if (values.help) {
    output.table(help);
    return 0;
  }
  if (unknown.length > 0) {
    output.progress(`There is no benchmark ${unknown.join(', ')}.\n\n${help}`);
    return 64;
  }
  const chosen = positionals.length === 0 ? usual : benches.filter(({ name }) => positionals.includes(name));
  output.table(await measure(chosen, values.quick, output));
  return 0;
}

async function measure(chosen: readonly Bench[], isQuick: boolean, output: Output): Promise<string> {
  const startedMs = performance.now();
  const say = (text: string) =>
    output.progress(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${text}`);
  const machine = describeMachine();
  const stage = await Stage.open(isQuick ? await temporaryFolder() : tmpdir());
  const groups: { name: string; rows: Row[] }[] = [];
  try {
    for (const { name, run } of chosen) {
      const progress = (what: string) => say(`${name}: ${what}`);
      const rows = await run({ stage, scale: isQuick ? quickScale : fullScale, progress });
      groups.push({ name, rows });
      await stage.endPrograms();
    }
  } finally {
    await stage.close();
  }
  return `${machine}\n\n${renderTable(groups)}`;
}

/** What the figures were measured on. Where other work waits for the processors, milliseconds say more about that work. */
function describeMachine(): string {
  const cores = availableParallelism();
  const [load = 0] = loadavg();
  const warning = load > cores / 2 ? ': busy with other work, so milliseconds mean little' : '';
  return `Node ${process.version}, ${cores} cores, load average before the start ${load.toFixed(1)}${warning}`;
}
