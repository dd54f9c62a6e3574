#!/usr/bin/env node
/** What `npm start` and `npm run skein` run: builds what is missing, then hands over to the program. */
import cluster from 'node:cluster';
import { buildForStart } from './build.mjs';

// The primary process of a group has built already.
const advice = cluster.isPrimary ? buildForStart() : null;
if (advice) {
  console.error(advice);
  process.exit(1);
}
await import('../dist/program/main.js');
