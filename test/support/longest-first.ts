/**
 * The order in which files of tests start: by project, since a worker that changes the project starts anew and loads all modules
 * again; of a project those that take long first, because one that starts last is waited for while every other worker idles; and
 * then in Vitest's own order: it knows how long a file took only where it ran before.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those of more than 16 s in a run of all, the longest first, but for one thing: those that mostly wait, for a lease to end or a server
 * to come back, alternate with those that compute, for the processors would idle if all that wait ran side by side.
 */
export const long = [
  ...['web/pages/every-page', 'upgrade/rolling-upgrade', 'chaos/chaos', 'nodes/killed-node'],
  ...['web/conversation/composer', 'outages/database', 'graphql/visibility/visibility'],
  ...['web/conversation/presence', 'web/listed-threads', 'nodes/balanced-restart', 'web/settings'],
  ...['cli/processes-failures', 'web/threads', 'cli/processes', 'web/session', 'outages/program'],
  ...['web/thread-filters', 'cli/serve', 'web/conversation/draft-files', 'process/reverse-proxy'],
  ...['web/conversation/late-responses', 'graphql/limits/answer-memory', 'web/late-threads', 'docs/docs-commands'],
  ...['web/conversation/conversation', 'web/language/languages', 'web/pages/upgraded-page', 'web/engines'],
  ...['web/conversation/large-thread', 'cli/production-install', 'web/usage'],
  ...['graphql/streams/stalled-subscriber'],
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
