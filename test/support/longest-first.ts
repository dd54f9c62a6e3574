/**
 * The order in which files of tests start: by project, since a worker that changes the project starts anew and loads all modules
 * again; of a project those that take long first, because one that starts last is waited for while every other worker idles; and
 * then in Vitest's own order: it knows how long a file took only where it ran before.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those of more than 19 s in a run of all, the longest first. */
export const long = [
  'web/pages/every-page',
  'docs/docs-commands',
  'web/pages/upgraded-page',
  'upgrade/rolling-upgrade',
  'graphql/visibility/visibility',
  'nodes/balanced-restart',
  'web/conversation/conversation',
  'cli/deletion',
  'web/conversation/presence',
  'nodes/killed-node',
  'modules/protocol/restart',
  'cli/processes-failures',
  'cli/copies/under-load',
  'cli/npm-start',
  'cli/commands',
  'web/conversation/formulas',
  'cli/production-install',
  'rest/messages/send-message-races',
  'chaos/chaos',
  'cli/audit',
  'web/conversation/dropped-files',
  'web/settings',
  'cli/copies/interrupted',
  'database/embedded/upgrade',
  'web/conversation/queued-message',
  'database/embedded/embedded-server',
  'outages/database',
  'web/older-search',
  'web/conversation/returning',
  'cli/serve',
  'web/pages/palette',
  'outages/program',
  'cli/processes',
  'web/conversation/branches',
  'process/reverse-proxy',
  'rest/threads/search/search-ways',
  'auth/throttle',
  'auth/sessions/open-access',
  'cli/copies/move',
  'web/conversation/large-thread',
  'web/conversation/late-conversation',
  'parity/outcomes',
  'web/session-end',
  'web/pages/typing',
  'web/pages/face',
  'web/threads',
  'web/pages/keyboard',
  'web/openid-connect',
  'web/tags',
  'graphql/limits/answer-memory',
  'web/late-threads',
  'database/embedded/unprivileged',
  'web/notifications',
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
