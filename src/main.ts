/** The program: the only file with effects on import. Every command is one file of `cli/`. */
import { runMain } from 'citty';
import { skein } from './cli/skein.js';

await runMain(skein);
