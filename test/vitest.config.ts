import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.js';

export default defineConfig({
  resolve: {
    // Without the alias, sources load graphql's ES module and Pothos and Yoga its CommonJS one: two realms, and
    // every `instanceof GraphQLError` between them is false.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // What takes a second on an idle machine takes many on a busy one: the limits are for what hangs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    // One more than CI has cores, because some files wait for most of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Loading the schema and the providers takes longer than most files of tests; no file changes what they share.
    isolate: false,
  },
});
