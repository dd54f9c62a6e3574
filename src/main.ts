/** The program: the only file with effects on import. Every command is one file of `cli/`. */
import { run } from './cli/run.js';
import { skein } from './cli/skein.js';

await run(skein, process.argv.slice(2));
