/**
 * The order in which files of tests start: those that take long first, because one that starts last is waited for while every
 * other worker idles. Vitest's own order comes after them: it knows how long a file took only where it ran before.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that wait (for a lease, for the end of an outage) are mixed with those that compute, so that they run beside each other. */
const long = [
  'chaos/chaos',
  'docs-commands',
  'modules/protocol-overlap-model',
  'outages/database',
  'nodes/killed-node',
  'fuzz/generated-requests',
  'bench/bench',
  'outages/program',
  'nodes/redis-killed-node',
  'web/accessibility',
  'modules/protocol-model',
  'hostile/database-texts',
  'auth/link-races',
  'web/conversation',
  'cli/serve',
  'modules/restart',
  'auth/open-access',
  'clients/clients',
  'hostile/script-texts',
  'modules/continue-thread-races',
  'graphql/visibility',
  'modules/worker-outage',
  'web/threads',
  'rest/list-threads-walk',
  'rest/send-message-races',
  'auth/throttle',
  'outages/black-hole',
  'web/shared-conversation',
  'nodes/rolling-restart',
  'parity/outcomes',
  'cli/commands',
  'readme',
  'rest/hostile-input',
  'web/sign-in',
  'graphql/sse-bounds',
  'outages/unknown-outcome',
  'cli/npm-start',
].map((name) => `test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = long.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? long.length : index;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
