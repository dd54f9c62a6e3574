/**
 * The order in which files of tests start: those that take long first, because one that starts last is waited for while every
 * other worker idles. The others follow by project, since a worker that changes the project starts anew, and then in Vitest's own
 * order: it knows how long a file took only where it ran before.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that wait (for a lease, for the end of an outage) are mixed with those that compute, so that they run beside each other. */
export const long = [
  'docs/docs-commands',
  'outages/database',
  'nodes/redis-killed-node',
  'chaos/chaos',
  'cli/serve',
  'cli/processes',
  'cli/processes-failures',
  'web/pages/accessibility',
  'nodes/killed-node',
  'outages/program',
  'web/conversation/conversation',
  'modules/protocol/restart',
  'cli/npm-start',
  'cli/commands',
  'bench/bench',
  'web/conversation/large-thread',
  'process/reverse-proxy',
  'examples/examples',
  'auth/sessions/open-access',
  'graphql/visibility/visibility',
  'outages/black-hole',
  'nodes/rolling-restart',
  'nodes/redis-outages',
  'auth/throttle',
  'web/threads',
  'clients/clients',
  'fuzz/generated-requests',
  'modules/worker/worker-outage',
  'web/conversation/shared-conversation',
  'outages/unknown-outcome',
  'modules/protocol/overlaps/overlap-model',
  'hostile/database-texts',
  'web/sign-in',
  'hostile/script-texts',
  'modules/protocol/interleavings/interleavings',
  'parity/outcomes',
  'database/backup',
  'graphql/limits/answer-memory',
].map((name) => `test/${name}.test.ts`);

const projects = ['endurance', 'fast'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const index = long.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? long.length + projects.indexOf(project.name) : index;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
