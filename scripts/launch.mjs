/** What `npm start` and `npm run skein` run: builds what is missing, then hands over to the program. */
import { build } from './build.mjs';

build();
await import('../dist/program/main.js');
