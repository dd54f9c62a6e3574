/**
 * Every command of the documents works, as it stands there, and prints what the document says. All of them run on one service,
 * because no document expects to be the first that is followed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, runDocument, StartedService } from '../support/document-commands.js';
import { documents } from '../support/documents.js';

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
    ['FIRST=', /^retry: 2000[\s\S]*event: token[\s\S]*event: done/],
    ['LAST=', /^204\n$/],
  ],
  'docs/web-application.md': [['npm run --silent skein -- user sign-in-link', /^http:\/\//]],
  'docs/operating.md': [
    ['npm run --silent skein -- org', /acme\nusr_.*\nhttp:.*\nskn_pat_.*\ntok_[\s\S]*is up to date[\s\S]*Usage: skein/],
    ['THREAD=', /queued/],
  ],
};

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

  it.each(withCommands)('work: %s', { timeout: 300_000 }, async (document) => {
    const { code, output, outputOf } = await runDocument(document, service);
    expect(code, output).toBe(0);
    for (const [block, printed] of expected[document] ?? []) expect(outputOf(block), block).toMatch(printed);
  });
});
