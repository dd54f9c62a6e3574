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
  'modules/protocol/protocol-overlap-model',
  'outages/database',
  'nodes/killed-node',
  'fuzz/generated-requests',
  'bench/bench',
  'outages/program',
  'nodes/redis-killed-node',
  'web/pages/accessibility',
  'modules/protocol/protocol-model',
  'hostile/database-texts',
  'auth/link-races',
  'web/conversation/conversation',
  'cli/serve',
  'modules/protocol/restart',
  'auth/open-access',
  'clients/clients',
  'hostile/script-texts',
  'modules/messages/continue-thread-races',
  'graphql/visibility/visibility',
  'modules/worker/worker-outage',
  'web/threads',
  'rest/threads/list-threads-snapshot',
  'rest/messages/send-message-races',
  'auth/throttle',
  'outages/black-hole',
  'web/conversation/shared-conversation',
  'nodes/rolling-restart',
  'parity/outcomes',
  'cli/commands',
  'readme',
  'rest/access/hostile-input',
  'web/sign-in',
  'graphql/streams/sse-bounds',
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
