import { bytes, chunk, done, end, events, type Manner, say, stop, stream } from './manner.js';

const thought = { text: 'Hello', thinking: 'Hm.' };
const split = '<think>Hm.</think>Hello';
const pieces = Array.from({ length: split.length + 1 }, (_, at) => [split.slice(0, at), split.slice(at)]);

/** Thinking in the text, and beside it. */
export const thinking: Manner[] = [
  ...['think', 'thinking', 'reasoning'].map(
    (tag): Manner => ({
      name: `<${tag}>`,
      answers: [stream(say(`<${tag}>Hm.</${tag}>Hello`), stop, done)],
      ...thought,
    }),
  ),
  { name: 'upper case', answers: [stream(say('<THINK>Hm.</THINK>Hello'), stop, done)], ...thought },
  {
    name: 'white space around the tags',
    answers: [stream(say('\n<think>Hm.</think>\n\nHello'), stop, done)],
    ...thought,
  },
  { name: 'a tag that is cut anywhere', answers: [stream(...[...split].map(say), stop, done)], ...thought },
  ...pieces.slice(1, -1).map(
    ([first = '', second = '']): Manner => ({
      name: `a cut after ${JSON.stringify(first)}`,
      answers: [stream(say(first), say(second), stop)],
      ...thought,
      isForm: true,
    }),
  ),
  { name: 'empty thinking', answers: [stream(say('<think>\n\n</think>\n\nHello'), stop)], text: 'Hello' },
  { name: 'two thoughts in a row', answers: [stream(say('<think>H</think><think>m.</think>Hello'), stop)], ...thought },
  {
    name: 'a tag in the middle of an answer',
    answers: [stream(say('Use <think>a</think> so.'), stop)],
    text: 'Use <think>a</think> so.',
  },
  {
    name: 'a tag in a code block',
    answers: [stream(say('```\n<think>a</think>\n```'), stop)],
    text: '```\n<think>a</think>\n```',
  },
  {
    name: 'something that only begins like a tag',
    answers: [stream(say('<thi'), say('s> is it'), stop)],
    text: '<this> is it',
  },
  { name: 'a lone angle bracket at the end', answers: [stream(say('<'), stop)], text: '<' },
  {
    name: 'thinking that is never closed, and nothing else',
    answers: [stream(say('<think>Hm.'), end('length')), stream(say('<think>Hm.'), stop)],
    code: 'model_empty_response',
    calls: 2,
  },
  { name: 'reasoning_content', answers: [stream(chunk({ reasoning_content: 'Hm.' }), say('Hello'), stop)], ...thought },
  { name: 'reasoning', answers: [stream(chunk({ reasoning: 'Hm.', content: '' }), say('Hello'), stop)], ...thought },
  {
    name: 'both of them, the same',
    answers: [stream(chunk({ reasoning: 'Hm.', reasoning_content: 'Hm.' }), say('Hello'), stop)],
    ...thought,
  },
  {
    name: 'parts of thinking in the content',
    answers: [
      bytes(
        events(
          chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
          say('Hello'),
          stop,
        ),
      ),
    ],
    ...thought,
  },
  {
    name: 'a closing tag without an opening one is text',
    answers: [stream(say('a </think> b'), stop)],
    text: 'a </think> b',
  },
];
