/**
 * The order in which files of tests start: by project, since a worker that changes the project starts anew and loads all modules
 * again; of a project those that take long first, because one that starts last is waited for while every other worker idles; and
 * then in Vitest's own order: it knows how long a file took only where it ran before.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those of more than 12 s in a run of all, the longest first. */
export const long = [
  'web/pages/every-page',
  'upgrade/rolling-upgrade',
  'docs/docs-commands',
  'web/pages/upgraded-page',
  'nodes/killed-node',
  'web/conversation/presence',
  'web/conversation/conversation',
  'graphql/visibility/visibility',
  'chaos/chaos',
  'nodes/balanced-restart',
  'outages/database',
  'outages/program',
  'cli/processes',
  'web/conversation/large-thread',
  'cli/processes-failures',
  'web/settings',
  'parity/outcomes',
  'graphql/limits/answer-memory',
  'web/threads',
  'cli/production-install',
  'auth/sessions/open-access',
  'web/session-end',
  'cli/audit',
  'web/conversation/dropped-files',
  'cli/deletion',
  'cli/copies/under-load',
  'modules/worker/worker-outage',
  'cli/serve',
].map((name) => `test/${name}.test.ts`);

const projects = ['stress', 'system', 'fast'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const index = long.indexOf(relative(this.ctx.config.root, moduleId));
      return projects.indexOf(project.name) * (long.length + 1) + (index === -1 ? long.length : index);
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
