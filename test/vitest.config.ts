import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Without the alias, sources load graphql's ES module and Pothos and Yoga its CommonJS one: two realms, and
    // every `instanceof GraphQLError` between them is false.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Loading the schema and the providers takes longer than most files of tests; no file changes what they share.
    isolate: false,
  },
});
