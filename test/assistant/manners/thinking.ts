import { asForm, chunk, done, end, type Manner, manner, say, stop, stream } from './manner.js';

const thought = { text: 'Hello', thinking: 'Hm.' };
const split = '<think>Hm.</think>Hello';
const pieces = Array.from({ length: split.length + 1 }, (_, at) => [split.slice(0, at), split.slice(at)] as const);

/** What the model writes into its text, and what of it is said. */
const written: [name: string, text: string, outcome: string | typeof thought][] = [
  ['empty thinking', '<think>\n\n</think>\n\nHello', 'Hello'],
  ['two thoughts in a row', '<think>H</think><think>m.</think>Hello', thought],
  [
    'thinking with an İ, which is two characters in lower case',
    '<think>İ</think>Hello',
    { text: 'Hello', thinking: 'İ' },
  ],
  ['60,000 empty thoughts in one piece', `${'<think></think>'.repeat(60_000)}Hello`, 'Hello'],
  ['a tag in the middle of an answer', 'Use <think>a</think> so.', 'Use <think>a</think> so.'],
  ['a tag in a code block', '```\n<think>a</think>\n```', '```\n<think>a</think>\n```'],
  ['a lone angle bracket at the end', '<', '<'],
  ['a closing tag without an opening one is text', 'a </think> b', 'a </think> b'],
];

const final = '<|start|>assistant<|channel|>final<|message|>Hello';
/** Marks of channels, cut anywhere. */
const channels: [name: string, text: string, outcome: string | typeof thought][] = [
  ['of gpt-oss', `<|channel|>analysis<|message|>Hm.<|end|>${final}`, thought],
  ['of gpt-oss without thinking', '<|channel|>final<|message|>Hello', 'Hello'],
  [
    'of gpt-oss, two thoughts',
    `<|channel|>analysis<|message|>H<|end|><|start|>assistant<|channel|>analysis<|message|>m.<|end|>${final}`,
    thought,
  ],
  ['of Gemma 4', '<|channel>thoughtHm.<channel|>Hello', thought],
];

const parts = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }];
/** As Databricks sends it. */
const summary = [{ type: 'summary_text', text: 'Hm.' }];
/** What stands beside the text. */
const beside: [name: string, delta: object][] = [
  ['reasoning_content', { reasoning_content: 'Hm.' }],
  ['reasoning', { reasoning: 'Hm.', content: '' }],
  ['both of them, the same', { reasoning: 'Hm.', reasoning_content: 'Hm.' }],
  ['parts of thinking in the content', { content: parts }],
  ['a summary of thinking in the content', { content: [{ type: 'reasoning', summary }] }],
];

/** Thinking in the text, and beside it. */
export const thinking: Manner[] = [
  ...['think', 'thinking', 'reasoning'].map((tag) =>
    manner(`<${tag}>`, thought, stream(say(`<${tag}>Hm.</${tag}>Hello`), stop, done)),
  ),
  manner('upper case', thought, stream(say('<THINK>Hm.</THINK>Hello'), stop, done)),
  manner('white space around the tags', thought, stream(say('\n<think>Hm.</think>\n\nHello'), stop, done)),
  manner('a tag that is cut anywhere', thought, stream(...[...split].map(say), stop, done)),
  ...pieces
    .slice(1, -1)
    .map(([first, second]) =>
      asForm(manner(`a cut after ${JSON.stringify(first)}`, thought, stream(say(first), say(second), stop))),
    ),
  ...written.map(([name, text, outcome]) => manner(name, outcome, stream(say(text), stop))),
  manner('something that only begins like a tag', '<this> is it', stream(say('<thi'), say('s> is it'), stop)),
  manner(
    'thinking that is never closed, and nothing else',
    { code: 'model_empty_response', calls: 2 },
    ...[end('length'), stop].map((reason) => stream(say('<think>Hm.'), reason)),
  ),
  ...channels.map(([whose, text, outcome]) =>
    asForm(manner(`marks of channels ${whose}`, outcome, stream(...[...text].map(say), stop))),
  ),
  ...beside.map(([name, delta]) => manner(name, thought, stream(chunk(delta), say('Hello'), stop))),
  manner(
    'empty lines between the thinking beside it and the answer',
    thought,
    stream(chunk({ reasoning: 'Hm.' }), say('\n\n'), say('Hello'), stop),
  ),
];
