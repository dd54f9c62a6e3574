import { describe, expect, it } from 'vitest';
import { DemoProcessor } from '../../src/assistant/demo/demo-processor.js';
import { demoTexts } from '../../src/assistant/demo/demo-texts.js';
import { assistant, listen, question, user } from './listening.js';

const delays: number[] = [];
const atOnce = async (delayMs: number): Promise<undefined> => void delays.push(delayMs);
const demo = new DemoProcessor({ wait: atOnce });
const signal = new AbortController().signal;

describe('the demo model', () => {
  it('introduces itself as a demo, quotes the user and answers in Markdown, word by word', async () => {
    const { text, events, error } = await listen(demo, 'Hello\nthere');
    expect(error).toBeUndefined();
    expect(text).toContain('**demo model**');
    expect(text).toContain('> Hello\n> there\n');
    expect(text).toMatch(/^1\. /m);
    expect(events.length).toBeGreaterThan(20);
    expect(events.at(-1)).toEqual({ type: 'usage', inputTokens: 2, outputTokens: events.length - 1 });
  });

  it('is deterministic', async () => {
    expect(await listen(demo, 'ask me, and think')).toEqual(await listen(demo, 'ask me, and think'));
  });

  it('quotes part of a long message without splitting a character', async () => {
    const { text } = await listen(demo, '😀'.repeat(300));
    expect(text).toContain(`> ${'😀'.repeat(200)}…\n`);
  });

  it('describes each of its commands', async () => {
    const { text } = await listen(demo, 'help');
    for (const command of ['help', 'choice', 'ask me', 'think', 'slow', 'long', 'fail', 'fail before', 'fail retry']) {
      expect(text).toContain(`\`${command}\``);
    }
  });
});

describe('its question', () => {
  const { question: words, choices } = demoTexts;
  const asked = [user('ask me'), assistant('Well.', question('demo_question_1', words, ...choices))];

  it.each(['Ask me something', 'Give me a choice', 'choices, please'])(
    'comes with choices when told "%s"',
    async (told) => {
      const { events } = await listen(demo, told);
      expect(events.at(-2)).toEqual({ type: 'choice', toolUseId: 'demo_question_1', question: words, choices });
    },
  );

  it('has a new id each time', async () => {
    const { events } = await listen(demo, [...asked, user('ask me again')]);
    expect(events.at(-2)).toMatchObject({ toolUseId: 'demo_question_3' });
  });

  it.each([
    ['Tea', 'You chose **Tea**.'],
    [' tea ', 'You chose **Tea**.'],
    ['Beer', 'You gave an answer of your own:\n\n> Beer'],
    ['help', '| word |'],
  ])('answered with "%s" is understood', async (answer, expected) => {
    expect((await listen(demo, [...asked, user(answer)])).text).toContain(expected);
  });

  it('is answered only by the next message', async () => {
    const later = [...asked, user('Beer'), assistant('Fine.'), user('Tea')];
    expect((await listen(demo, later)).text).toContain('You wrote:\n\n> Tea');
  });
});

describe('on command', () => {
  it.each([
    ['permanently, after some text', 'please fail', /told to fail/, false],
    ['permanently, before the first word', 'fail before you begin', /^$/, false],
    ['with a fault that is retried, after some text', 'fail retry', /./, true],
  ])('fails %s', async (_how, told, said, retryable) => {
    const { text, error } = await listen(demo, told);
    expect(text).toMatch(said);
    expect(error).toMatchObject({ code: 'model_failed', retryable });
  });

  it('thinks before it answers, combined with any other command', async () => {
    expect(await listen(demo, 'think, then ask me')).toMatchObject({ thinking: demoTexts.thinking });
  });

  it('gives a long answer', async () => {
    expect((await listen(demo, 'a long one')).text.length).toBeGreaterThan(5_000);
  });

  it('takes ten times as long', async () => {
    delays.length = 0;
    await listen(demo, 'quickly');
    await listen(demo, 'slowly');
    expect(new Set(delays)).toEqual(new Set([30, 300]));
  });
});

it('an abort interrupts the wait for the next word', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const heard = listen(new DemoProcessor({ wordDelayMs: 3_600_000 }), 'Hi', { signal: stop.signal });
  stop.abort(reason);
  expect((await heard).error).toBe(reason);
});

describe('a summary', () => {
  it('quotes the first and the last message of the user', async () => {
    const conversation = [user('One'), assistant('Two'), user('Three')];
    const text = await demo.summarize({ conversation, signal });
    expect(text).toContain('> One');
    expect(text).toContain('> Three');
    expect(text).not.toContain('Two');
  });

  it('of an empty conversation fails', async () => {
    await expect(demo.summarize({ conversation: [], signal })).rejects.toMatchObject({ code: 'model_empty_response' });
  });
});

describe('a name', () => {
  it.each([
    ['of a short message is the message', 'Hello there', 'Hello there'],
    ['ends with the first sentence', 'Plan a trip to Rome. We are four, and\nlike to walk.', 'Plan a trip to Rome'],
    ['keeps the mark of a question', 'What is 1.5 times two? Explain.', 'What is 1.5 times two?'],
    ['of a text without spaces ends with its first sentence', '東京の天気は？明日は雨ですか。', '東京の天気は？'],
    ['keeps a sign that marks nothing', 'What is 2*3?', 'What is 2*3?'],
    ['has no marks of Markdown', '## **Fix** `main.ts`:\n\n```ts\n', 'Fix main.ts'],
    [
      'shows that it was cut',
      'one two three four five six seven eight nine',
      'one two three four five six seven eight…',
    ],
  ])('%s', async (_what, message, expected) => {
    expect(await demo.name({ conversation: [user(message)], signal })).toBe(expected);
  });

  it('of a message without words fails', async () => {
    await expect(demo.name({ conversation: [user(' \n')], signal })).rejects.toMatchObject({
      code: 'model_empty_response',
    });
  });
});
