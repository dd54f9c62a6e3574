/**
 * Interruptions and stops over plain HTTP, where they are likeliest to meet a claim. INTERRUPTION_ROUNDS asks for more of
 * them, such as 100.
 */
import { describe, expect, it, vi } from 'vitest';
import { caseCount } from '../../support/case-counts.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../../support/service.js';

const rounds = caseCount('INTERRUPTION_ROUNDS', { usual: 2, full: 8 });
const limitMs = 60_000 + rounds * 3000;
const slots = 2;

const send = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename ... on Error { code } } }`;
const stop = `mutation ($id: ID!) { stopResponse(messageId: $id) { __typename ... on StoppedResponse { wasStopped } } }`;

/** What the mutation came to, with the status of the answer. */
async function run(service: TestService, { token }: Person, query: string, variables: object) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Record<string, object> | null; errors?: unknown };
  return { status: response.status, errors, ...Object.values(data ?? {})[0] };
}

describe('five interruptions of one thread at once, with all slots busy', () => {
  it(
    `fail nobody, send one message at least, and leave the thread ready (${rounds} rounds)`,
    async () => {
      const shares = { RESPONSES_PER_USER: `${slots}`, RESPONSES_PER_ORGANIZATION: `${slots}` };
      await using service = await startTestService({ environment: { RESPONSES_PER_PROCESS: `${slots}`, ...shares } });
      const [ada, bob] = [await service.person(), await service.person()];
      const held = gate();
      service.model.enqueue(...Array.from({ length: slots }, () => [text('x'), wait(held.passed)]));
      for (let count = 0; count < slots; count += 1) await bob.rest.createThread({ text: 'takes a slot' });
      await vi.waitFor(() => expect(service.model.requests).toHaveLength(slots), { timeout: 10_000 });
      const counts: Record<string, number> = {};
      for (let round = 0; round < rounds; round += 1) {
        const { threadId } = await ada.rest.createThread({ text: 'waits' });
        const input = (index: number) => ({ input: { threadId, text: `rival ${index}`, onBusy: 'INTERRUPT' } });
        const outcomes = await Promise.all(
          Array.from({ length: 5 }, (_, index) => run(service, ada, send, input(index))),
        );
        const names = outcomes.map((outcome) => ('__typename' in outcome ? String(outcome['__typename']) : 'none'));
        for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
        expect(names, JSON.stringify(outcomes)).toContain('PostedMessage');
        const broken = outcomes.filter(
          ({ status, errors }, index) =>
            status !== 200 || errors || !/^(PostedMessage|ThreadNotReadyError)$/.test(names[index] ?? ''),
        );
        expect(broken).toEqual([]);
      }
      held.open();
      const { database } = service;
      const busy = { where: { state: { not: 'ready' as const } } };
      await vi.waitFor(async () => expect(await database.thread.findMany(busy)).toEqual([]), { timeout: limitMs / 2 });
      console.log(JSON.stringify({ rounds, ...counts }));
    },
    limitMs,
  );
});

describe('a stop within milliseconds of the claim', () => {
  it(
    `is neither lost nor forced, so that the text is kept (${2 * rounds} stops)`,
    async () => {
      await using service = await startTestService();
      const ada = await service.person();
      const { database } = service;
      const never = gate();
      service.model.respond(() => [text('said '), wait(never.passed)]);
      const counts = { waiting: 0, running: 0, withText: 0 };
      for (let count = 0; count < 2 * rounds; count += 1) {
        const { messageId } = await ada.rest.createThread({ text: 'stop me' });
        while ((await database.response.findUniqueOrThrow({ where: { messageId } })).status === 'queued');
        expect(await run(service, ada, stop, { id: messageId })).toMatchObject({ status: 200, wasStopped: true });
        const ended = await database.response.findUniqueOrThrow({
          where: { messageId },
          include: { message: { select: { answers: true } } },
        });
        // The epoch that the claim gave; who ends a run without its worker moves it.
        expect(ended, 'the worker itself ended it').toMatchObject({ status: 'interrupted', epoch: 1n });
        counts[ended.attempt === 0 ? 'waiting' : 'running'] += 1;
        counts.withText += ended.message.answers.length;
      }
      console.log(JSON.stringify(counts));
    },
    limitMs,
  );
});
