#!/usr/bin/env node
/** What `npm start` and `npm run skein` run: builds what is missing, then hands over to the program. */
import { buildForStart } from './build.mjs';

const advice = buildForStart();
if (advice) {
  console.error(advice);
  process.exit(1);
}
await import('../dist/program/main.js');
