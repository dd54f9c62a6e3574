import { describe, expect, it } from 'vitest';
import { explainStartFailure } from '../../../src/database/embedded/start-error.js';

const said = {
  'could not write to file "pg_wal/xlogtemp.31": No space left on device': /The disk is full\. Free some space there/,
  'could not extend file "base/5/16384": wrote only 4096 of 8192 bytes': /The disk is full/,
  'PANIC:  could not locate a valid checkpoint record at 0/1B80D98': /The files are damaged\. Restore a backup/,
  'data directory "/data/postgres" has wrong ownership': /belong to another account/,
  'FATAL:  something never seen before': /Its last words are below/,
};

describe('a failed start of PostgreSQL', () => {
  it.each(Object.entries(said))('says what to do about "%s", and repeats it', (words, advice) => {
    const { message } = explainStartFailure(`LOG:  starting PostgreSQL 18.4\n${words}\n`, '/data/postgres');
    expect(message).toMatch(advice);
    expect(message).toContain(words);
  });
});
