/**
 * Three projects, by kind. `fast` has what one process can show, and can be repeated; `system` has what needs a browser, a program,
 * several nodes or real tools, with an outcome that can be repeated; `stress` has chance, many rounds, memory and the wall clock,
 * and no change waits for it. All share what the global setup starts, which is why it belongs to none of them.
 */
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { RunSummary } from './test/support/run-summary.js';

export const system = [
  // A browser.
  'test/web/*.test.ts',
  'test/web/conversation/*.test.ts',
  'test/web/language/**',
  'test/web/pages/**',
  'test/auth/links/link-page-browser.test.ts',
  'test/bench/**',
  // Several processes.
  'test/chaos/**',
  'test/cli/**',
  'test/clients/**',
  'test/database/**',
  'test/deploy/image.test.ts',
  'test/docs/docs-commands.test.ts',
  'test/examples/**',
  'test/gate/**',
  'test/nodes/**',
  'test/outages/**',
  'test/assistant/files/attachment-memory.test.ts',
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
  'test/fuzz/**',
  'test/hostile/**',
  'test/graphql/streams/sse-bounds.test.ts',
  'test/graphql/visibility/**',
  'test/modules/messages/continue-thread-races.test.ts',
  'test/modules/protocol/interleavings.test.ts',
  'test/modules/protocol/overlaps/overlap-model.test.ts',
  'test/modules/worker/worker-outage.test.ts',
  'test/parity/outcomes.test.ts',
  'test/rest/messages/send-message-races.test.ts',
  'test/rest/threads/list/list-threads-snapshot.test.ts',
  // Work of PostgreSQL, of a compiler, of generated cases or of much memory, which is the same on each Node: `fast` runs on both.
  'test/deploy/lint.test.ts',
  'test/graphql/limits/answer-memory.test.ts',
  'test/graphql/messages/message-sizes.test.ts',
  'test/graphql/messages/messages-backwards.test.ts',
  'test/graphql/threads/thread-matches.test.ts',
  'test/modules/branches/branches-model.test.ts',
  'test/modules/plans.test.ts',
  'test/modules/deletion/long-conversations.test.ts',
  'test/modules/feeds/thread-changes.test.ts',
  'test/modules/protocol/claim-shares.test.ts',
  'test/modules/protocol/transitions.test.ts',
  'test/modules/threads/bookkeeping.test.ts',
  'test/modules/tokens/token-feed-property.test.ts',
  'test/rest/openapi/openapi-lint.test.ts',
  'test/rest/threads/list/list-threads-plan.test.ts',
  'test/rest/threads/search/search-bound.test.ts',
  'test/rest/threads/search/search-folding.test.ts',
  'test/rest/threads/search/search-plan.test.ts',
  'test/rest/threads/search/search-rebuild.test.ts',
  'test/rest/threads/search/search-ways.test.ts',
  'test/upgrade/expand.test.ts',
  'test/web/conversation/store/reduce.test.ts',
];

/**
 * What generates or repeats cases, or has limits of time beside what can be repeated: a few cases of a fixed seed run in `fast` or
 * `system`, and all of them, of another seed and with these limits, in `stress`.
 */
export const dice = [
  'test/assistant/prompt.test.ts',
  'test/bench/bench.test.ts',
  'test/chaos/chaos.test.ts',
  'test/contract/date-time.test.ts',
  'test/fuzz/generated-requests.test.ts',
  'test/graphql/messages/messages-backwards.test.ts',
  'test/graphql/responses/interruptions.test.ts',
  'test/graphql/threads/thread-matches.test.ts',
  'test/hostile/database-texts.test.ts',
  'test/hostile/ordinary-texts.test.ts',
  'test/hostile/script-texts.test.ts',
  'test/modules/branches/branches-model.test.ts',
  'test/modules/cursors.test.ts',
  'test/modules/feeds/thread-changes.test.ts',
  'test/modules/messages/continuation-summary.test.ts',
  'test/modules/protocol/interleavings.test.ts',
  'test/modules/protocol/overlaps/overlap-model.test.ts',
  'test/modules/tokens/feed-writer.test.ts',
  'test/modules/tokens/log/token-log.test.ts',
  'test/modules/viewing/follow-response-model.test.ts',
  'test/modules/worker/lease.test.ts',
  'test/nodes/balanced-restart.test.ts',
  'test/nodes/killed-node.test.ts',
  'test/nodes/stop-response.test.ts',
  'test/outages/database.test.ts',
  'test/outages/program.test.ts',
  'test/outages/unknown-outcome.test.ts',
  'test/rest/messages/send-message-races.test.ts',
  'test/rest/responses/stream-response-text.test.ts',
  'test/rest/threads/list/list-threads-cursor.test.ts',
  'test/rest/threads/list/list-threads-snapshot.test.ts',
  'test/rest/threads/search/search.test.ts',
  'test/rest/threads/search/search-folding.test.ts',
  'test/rest/threads/search/search-ways.test.ts',
  'test/upgrade/rolling-upgrade.test.ts',
  'test/web/conversation/formulas.test.ts',
  'test/web/conversation/markdown.test.ts',
  'test/web/conversation/store/reduce.test.ts',
  'test/web/pages/every-page.test.ts',
];

const all = ['test/**/*.test.ts'];
/** What has nothing to show without the wall clock or the memory of a process. */
const onlyStress = ['test/**/*.stress.test.ts'];

function project(
  name: string,
  files: { include: string[]; exclude: string[] },
  env: Record<string, string> = {},
): TestProjectInlineConfiguration {
  return {
    resolve: {
      // Without the alias, sources load graphql's ES module and Pothos and Yoga its CommonJS one: two realms, and
      // every `instanceof GraphQLError` between them is false.
      alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
    },
    test: {
      name,
      ...files,
      env,
      setupFiles: ['test/support/seed-properties.ts'],
      // What takes a second on an idle machine takes many on a busy one: the limits are for what hangs.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      // Loading the schema and the providers takes longer than most files of tests; no file changes what they share.
      isolate: false,
    },
  };
}

const stressSeed = process.env['TEST_SEED'] ?? `${Date.now() % 1_000_000}`;

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new RunSummary(stressSeed)],
    // Twice as many as CI has cores, because the longest files wait for most of their time. More only load all modules more often.
    maxWorkers: 4,
    // `system` takes what was compiled for `fast`, and the next run takes both: compiling costs more than most files of tests.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('fast', { include: all, exclude: [...system, ...onlyStress] }),
      project('system', {
        include: system.map((files) => files.replace(/\*\*$/, '**/*.test.ts')),
        exclude: onlyStress,
      }),
      project('stress', { include: [...dice, ...onlyStress], exclude: [] }, { STRESS: '1', TEST_SEED: stressSeed }),
    ],
  },
});
