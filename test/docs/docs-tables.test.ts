/** Lists in the documents that the code has too: neither may have what the other lacks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skein } from '../../src/cli/skein.js';
import { maximums } from '../../src/graphql/limits/limit-exceeded.js';
import { defaultGraphqlSettings } from '../../src/graphql/settings.js';
import { restProblemCodes } from '../../src/http/problems/codes.js';
import { generationErrorCodes } from '../../src/modules/responses/generation/processor.js';
import { endpoints } from '../../src/rest/endpoints.js';
import { presentResponseEvent } from '../../src/rest/presenters/response-event.js';
import { defaultSseTimes, formatFrame, opening } from '../../src/rest/sse.js';
import { fencesIn } from '../support/documents.js';
import { readSources } from '../support/source-tree.js';

/** The rows of the tables under a heading, as the texts of their cells. */
function rowsUnder(document: string, heading: string): string[][] {
  const text = readFileSync(document, 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const [own = ''] = section.split(/^#{1,3} /m);
  const rows = [...own.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(/(?<!\\) \| /));
  return rows.filter(([first = '']) => !first.startsWith('-'));
}

/** What stands between backticks in one column of a table, each once, in the order of the alphabet. */
function codesUnder(document: string, heading: string, column: number): string[] {
  const cells = rowsUnder(document, heading).map((row) => row[column] ?? '');
  const codes = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  return [...new Set(codes)].toSorted();
}

const sources = readSources().filter(({ name }) => !name.startsWith('web/'));

function namesInSources(pattern: RegExp): string[] {
  const names = sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(names)].toSorted();
}

describe('docs/rest.md', () => {
  it('lists every endpoint with the scope that it needs and the statuses of its success', () => {
    const documented = rowsUnder('docs/rest.md', '## Endpoints').slice(1);
    const described = documented.map(([request, scope, , success]) => [
      request,
      scope,
      success?.split(', ').toSorted(),
    ]);
    const served = endpoints.map(({ method, path, operation, responses }) => [
      `\`${method} ${path}\``,
      `\`${operation.scope}\``,
      Object.keys(responses).toSorted(),
    ]);
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  it('lists every code of a problem', () => {
    expect(codesUnder('docs/rest.md', '## Errors', 1)).toEqual(['code', ...restProblemCodes].toSorted());
  });
});

it('docs/graphql.md lists the limits of an operation with their maximums', () => {
  const { answerBytes, bytes, operations: _, ...counts } = maximums;
  const { streams, executionMs } = defaultGraphqlSettings;
  const limits = Object.entries(counts).map(([name, maximum]) => [name, maximum.toLocaleString('en-US')]);
  const rows = rowsUnder('docs/graphql.md', '## Limits').map(([, maximum, where = '']) => [
    where.replaceAll('`', ''),
    maximum?.replace(' characters', ''),
  ]);
  const { perUser, perOrganization, perProcess, maxLifeMs } = streams;
  expect(rows.toSorted()).toEqual(
    [
      ['Where', 'Maximum'],
      ...limits,
      ['bytes', `${bytes / 2 ** 20} MiB`],
      ['answerBytes', `${answerBytes / 2 ** 20} MiB`],
      ['time', `${executionMs.query / 1000} s`],
      ['time', `${executionMs.mutation / 1000} s`],
      [
        'streams, organizationStreams, processStreams',
        [perUser, perOrganization, perProcess].map((count) => count.toLocaleString('en-US')).join(', '),
      ],
      ['ends without an error', `${maxLifeMs / 60_000} minutes`],
    ].toSorted(),
  );
});

describe('docs/streaming.md', () => {
  const blocks = fencesIn(readFileSync('docs/streaming.md', 'utf8'), '');

  it('begins its example like every stream', () => {
    expect(blocks.some((block) => block.startsWith(opening))).toBe(true);
  });

  it('shows frames as they are sent', () => {
    const frames = [
      presentResponseEvent({ __typename: 'ResponseToken', token: 'You ', cursor: '1-4' }),
      presentResponseEvent({ __typename: 'ResponseDone', cursor: '1-end' }),
      presentResponseEvent({ __typename: 'ResponseRestarted', cursor: '2-0' }),
    ];
    for (const frame of frames) {
      const sent = frame ? formatFrame(frame).trim() : 'no frame';
      expect(
        blocks.some((block) => block.includes(sent)),
        sent,
      ).toBe(true);
    }
  });

  it('lists every code of a response that failed or was stopped', () => {
    // Not what stands in for a code that is missing.
    const lines = sources
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => /\berror_?code\b(?! \?\?)/i.test(line));
    const stored = lines.flatMap((line) => [...line.matchAll(/'([a-z]+_[a-z_]+)'/g)].map(([, code = '']) => code));
    expect(codesUnder('docs/streaming.md', '## Errors', 0)).toEqual(
      [...new Set(['budget_exceeded', 'code', ...generationErrorCodes, ...stored])].toSorted(),
    );
  });

  it('names the times of comments and of stalled clients', () => {
    const text = readFileSync('docs/streaming.md', 'utf8');
    expect(text).toContain(`after every ${defaultSseTimes.pingMs / 1000} seconds in which no event was sent`);
    expect(text).toContain(`| Time in which a client takes no byte | ${defaultSseTimes.stallMs / 1000} seconds |`);
  });
});

describe('docs/operating.md', () => {
  it('lists every metric of the service', () => {
    expect(codesUnder('docs/operating.md', '## Watch', 0).filter((name) => name.startsWith('skein_'))).toEqual(
      namesInSources(/name: '(skein_\w+)'/g),
    );
  });

  it('lists every command', () => {
    const commands = codesUnder('docs/operating.md', '## The command line', 0).map((code) => code.split(' ')[0]);
    expect([...new Set(commands)].toSorted()).toEqual(skein.commands.map((command) => command.name()).toSorted());
  });
});

it('docs/architecture.md lists every channel of notifications', () => {
  const channels = namesInSources(/(?:listener\.on\(\s*|tokenChannel = |presenceChannel = |nodeListens = )'(\w+)'/g);
  expect(codesUnder('docs/architecture.md', '## Several nodes', 0)).toEqual(channels);
});

describe('docs/architecture.md › The data', () => {
  const schema = readFileSync('prisma/schema.prisma', 'utf8');
  const models = new Map(
    [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => [
      name,
      { table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name, body },
    ]),
  );

  it('lists every table', () => {
    const tables = [...models.values()].map(({ table }) => table);
    expect(codesUnder('docs/architecture.md', '## The data', 0)).toEqual(tables.toSorted());
  });

  it('draws relations that the tables have', () => {
    const related = [...models.values()].flatMap(({ table, body }) =>
      [...body.matchAll(/^ +\w+ +(\w+)\??.*@relation\(.*fields:/gm)].map(
        ([, one = '']) => `${models.get(one)?.table} ${table}`,
      ),
    );
    const [diagram = ''] = fencesIn(readFileSync('docs/architecture.md', 'utf8'), 'mermaid').filter((text) =>
      text.startsWith('erDiagram'),
    );
    const drawn = [...diagram.matchAll(/^ +(\w+) \S+--\S+ (\w+) :/gm)].map(([, one, many]) => `${one} ${many}`);
    expect(drawn.length).toBeGreaterThan(0);
    expect(related).toEqual(expect.arrayContaining(drawn));
  });
});
