/** Gives every property the seed of the run, so that the same run tries the same cases. */
import fc from 'fast-check';
import { seed } from './case-counts.js';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
