/**
 * Every command of the documents works, as it stands there, and prints what the document says. All of them run on one service,
 * because no document expects to be the first that is followed, or the only one: several are at once, since their commands wait for
 * answers that come as slowly as people read.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CommandServer,
  commandsOf,
  isInstalled,
  type RunDocument,
  runDocument,
  type Shell,
  StartedService,
} from '../support/document-commands.js';
import { documents, fencesIn } from '../support/documents.js';

/** For each document, what the block prints that begins with these words. */
const expected: Record<string, readonly (readonly [block: string, output: RegExp])[]> = {
  'README.md': [
    ['CREATED=', /"thread_id":"thr_.*"message_id":"msg_/],
    ['field()', /event: token[\s\S]*event: done/],
    ['curl -sS http://localhost:4000/graphql', /"name":"First thread"/],
  ],
  'docs/rest.md': [
    ['skein /me', /"role":"admin"/],
    ['CREATED=', /"thread_id":"thr_.*"message_id":"msg_/],
    ['skein "/threads/$THREAD/messages/$MESSAGE/response/stream"', /event: token[\s\S]*event: done/],
    ['MESSAGE=$(skein "/threads/$THREAD/messages" -d \'{"text": "ask', /user_get_choice/],
    ['MESSAGE=$(skein "/threads/$THREAD/messages" -d \'{"text": "The', /event: done/],
    ['ANSWER=', /^204\n[\s\S]*"has_more":true[\s\S]*"name":"First thread"/],
    ['skein /threads/thr_unknown', /"code":"not_found"/],
  ],
  'docs/graphql.md': [
    ['CREATED=', /"__typename":"PostedMessage"/],
    ["graphql -H 'Accept: text/event-stream'", /ResponseToken[\s\S]*ResponseDone/],
    ['graphql -d \'{\n  "query": "{ me', /"name":"First thread"/],
    ['graphql -d \'{\n  "query": "mutation', /"name":"Introductions"/],
  ],
  'docs/streaming.md': [
    ['BASE=', /^retry: 2000\n\n: ping\n\nevent: token\n[\s\S]*event: done\ndata: \{\}\nid: \d+-end/],
    ['FIRST=', /^retry: 2000[\s\S]*event: done/],
    ['LAST=', /^204\n$/],
  ],
  'docs/models.md': [['npm run --silent skein -- model check', /^demo: model ok/m]],
  'docs/web-application.md': [['npm run --silent skein -- user sign-in-link', /^http:\/\//]],
  'docs/operating.md': [
    ['npm run --silent skein -- org', /acme\nusr_.*\nhttp:.*\nskn_pat_.*\ntok_[\s\S]*is up to date[\s\S]*Usage: skein/],
    [
      'BACKUP=',
      /skein\.backup: [\d,]+ rows of \d+ tables, .* read back\n.*, whole\nRestored [\d,]+ rows of \d+ tables\.\n/,
    ],
    ['THREAD=', /queued/],
  ],
};

/** The texts of the tokens in a stream. */
const tokensIn = (events: string) =>
  [...events.matchAll(/^event: token\ndata: (.*)$/gm)].map(
    ([, data = '']) => (JSON.parse(data) as { token: string }).token,
  );

function expectPrinted(document: string, { code, output, outputOf }: RunDocument): void {
  expect(code, output).toBe(0);
  for (const [block, printed] of expected[document] ?? []) expect(outputOf(block), block).toMatch(printed);
  // On a busy machine the whole text may be the first token, with nothing after it.
  if (document === 'docs/streaming.md') {
    expect(tokensIn(outputOf('FIRST=')).join('')).toBe(tokensIn(outputOf('BASE=')).slice(1).join(''));
  }
}

const withCommands = documents.filter((document) => commandsOf(document).length > 0);

describe('the commands of the documents', () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await StartedService.start();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('are covered by an expectation in every document', () => {
    expect(withCommands.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  // Of the commands of the program, npm runs those of the other documents: this process can run one at a time.
  const withManyCommands = 'docs/operating.md';

  it(`work: ${withManyCommands}`, { timeout: 300_000 }, async () => {
    await using commands = await CommandServer.start();
    expectPrinted(withManyCommands, await runDocument(withManyCommands, service, { prologue: commands.prologue }));
  });

  const others = withCommands.filter((document) => document !== withManyCommands);
  it.concurrent.each(others)('work: %s', { timeout: 300_000 }, async (document) => {
    expectPrinted(document, await runDocument(document, service));
  });

  // The commands of the others are those of the program itself, in one form that asks nothing of a shell, and take a minute.
  const inAnyShell = ['README.md', 'docs/rest.md', 'docs/graphql.md', 'docs/streaming.md'];
  describe.concurrent.each<Shell>(['zsh', 'dash'])('in %s', (shell) => {
    const isHere = isInstalled(shell);
    const note = isHere ? '' : ` (skipped: there is no ${shell} in PATH)`;
    it.skipIf(!isHere).each(inAnyShell)(`work: %s${note}`, { timeout: 300_000 }, async (document) => {
      expectPrinted(document, await runDocument(document, service, { shell }));
    });
  });

  it('end with their service, cleanly with its database, where SIGTERM reaches the whole group', async () => {
    expect(await service.end()).toEqual({ status: 0, hasDatabase: false });
  });
});

/** To zsh, some of these are PATH and its like, and some cannot be set; others change what the next command does anywhere. */
const ofTheShell =
  'path|cdpath|fpath|manpath|mailpath|module_path|status|pipestatus|options|argv|commands|functions|aliases|history|signals|PATH|HOME|IFS|PWD|USER|UID|SHELL|TERM|LANG';

it.each(documents)('no command sets a variable of the shell itself: %s', (document) => {
  const text = readFileSync(document, 'utf8');
  const commands = [...fencesIn(text, 'sh'), ...fencesIn(text, 'bash')].join('\n');
  expect(commands.match(new RegExp(`(^|[\\s;({])(${ofTheShell})=`, 'gm')) ?? []).toEqual([]);
});
