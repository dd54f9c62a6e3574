/** The entry point of the program, and the only file with side effects on import. `cli/` has one file per command. */
import { surviveLostOutput } from './cli/lost-output.js';
import { run } from './cli/run.js';
import { skein } from './cli/skein.js';

surviveLostOutput(process);
await run(skein, process.argv.slice(2));
