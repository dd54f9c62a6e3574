/**
 * Two projects: `endurance` has the tests that need a browser, several processes or a wait, and `fast` has all others. Both share
 * what the global setup starts, which is why it belongs to neither.
 */
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ClosingLine } from './support/closing-line.js';
import { LongestFirst } from './support/longest-first.js';

/** A file that is named here although it is quick costs nothing; one that is slow and left out slows down whoever edits. */
export const endurance = [
  // A browser.
  'test/web/**',
  'test/auth/links/link-page-browser.test.ts',
  'test/bench/**',
  // Several processes.
  'test/chaos/**',
  'test/cli/**',
  'test/clients/**',
  'test/database/**',
  'test/architecture.test.ts',
  'test/deploy/image.test.ts',
  'test/docs/docs-commands.test.ts',
  'test/examples/**',
  'test/nodes/**',
  'test/outages/**',
  'test/assistant/files/attachment-memory.test.ts',
  'test/graphql/documents/relay-compiler.test.ts',
  'test/modules/protocol/restart.test.ts',
  'test/modules/tokens/redis-feed.test.ts',
  'test/process/reverse-proxy.test.ts',
  'test/rates/nodes.test.ts',
  'test/tracing/program.test.ts',
  'test/upgrade/rolling-upgrade.test.ts',
  // Waits and many rounds.
  'test/auth/links/link-races.test.ts',
  'test/auth/sessions/open-access.test.ts',
  'test/auth/throttle.test.ts',
  'test/fairness/contention.test.ts',
  'test/fuzz/**',
  'test/hostile/**',
  'test/graphql/streams/sse-bounds.test.ts',
  'test/graphql/visibility/**',
  'test/modules/messages/continue-thread-races.test.ts',
  'test/modules/protocol/interleavings/interleavings.test.ts',
  'test/modules/protocol/overlaps/overlap-model.test.ts',
  'test/modules/worker/worker-outage.test.ts',
  'test/parity/outcomes.test.ts',
  'test/rest/access/hostile-input.test.ts',
  'test/rest/messages/send-message-races.test.ts',
  'test/rest/threads/list/list-threads-snapshot.test.ts',
];

const all = ['test/**/*.test.ts'];

function project(name: string, files: { include: string[]; exclude?: string[] }): TestProjectInlineConfiguration {
  return {
    resolve: {
      // Without the alias, sources load graphql's ES module and Pothos and Yoga its CommonJS one: two realms, and
      // every `instanceof GraphQLError` between them is false.
      alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
    },
    test: {
      name,
      ...files,
      // What takes a second on an idle machine takes many on a busy one: the limits are for what hangs.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 10_000 } },
      // Loading the schema and the providers takes longer than most files of tests; no file changes what they share.
      isolate: false,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new ClosingLine()],
    // Twice as many as CI has cores, because the longest files wait for most of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('fast', { include: all, exclude: endurance }),
      project('endurance', { include: endurance.map((files) => files.replace(/\*\*$/, '**/*.test.ts')) }),
    ],
  },
});
