import { chunk, done, end, hello, type Manner, status, stop, stream } from './manner.js';

const asked = { question: 'Which?', choices: ['Tea', 'Coffee'] };
const good = JSON.stringify(asked);
const name = 'user_get_choice';

const call = (fields: object, more: object = {}) =>
  chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: fields, ...more }] });
const answer = (...frames: object[]) => stream(...frames, end('tool_calls'), done);
const withInput = (input: unknown) => answer(call({ name, arguments: input }));
const input = (fields: object) => withInput(JSON.stringify(fields));

/** What a call of the tool may look like. */
const forms: [string, ReturnType<typeof stream>][] = [
  ['JSON that is encoded twice', withInput(JSON.stringify(good))],
  ['JSON that is encoded three times', withInput(JSON.stringify(JSON.stringify(good)))],
  ['fenced JSON', withInput(`\`\`\`json\n${good}\n\`\`\``)],
  ['trailing tags', withInput(`${good}</tool_call>`)],
  ['trailing marks', withInput(`${good}<|im_end|>`)],
  ['words before it', withInput(`Here you are: ${good}`)],
  ['an object', withInput(asked)],
  ['single quotes', withInput("{'question': 'Which?', 'choices': ['Tea', 'Coffee']}")],
  ['a trailing comma', withInput('{"question": "Which?", "choices": ["Tea", "Coffee",],}')],
  ['a missing brace', withInput('{"question": "Which?", "choices": ["Tea", "Coffee"]')],
  ['options for choices', input({ question: 'Which?', options: ['Tea', 'Coffee'] })],
  ['choices with a label', input({ question: 'Which?', choices: [{ label: 'Tea' }, { label: 'Coffee' }] })],
  ['choices with a value alone', input({ question: 'Which?', choices: [{ value: 'Tea' }, { value: 'Coffee' }] })],
  ['choices as a list in a text', input({ question: 'Which?', choices: '["Tea", "Coffee"]' })],
  ['choices as lines', input({ question: 'Which?', choices: 'Tea\nCoffee' })],
  ['arguments within arguments', input({ name, arguments: asked })],
  ['an empty choice beside others', input({ question: 'Which?', choices: ['Tea', ' ', 'Coffee'] })],
  ['a name with a namespace', answer(call({ name: `functions.${name}`, arguments: good }))],
  ['a name with a channel mark', answer(call({ name: `${name}<|channel|>commentary`, arguments: good }))],
  ['a name and a count', answer(call({ name: `functions.${name}:0`, arguments: good }))],
  [
    'pieces',
    answer(
      call({ name, arguments: good.slice(0, 9) }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: good.slice(9) } }] }),
    ),
  ],
  [
    'pieces without an index',
    answer(
      call({ name, arguments: good.slice(0, 9) }),
      chunk({ tool_calls: [{ function: { arguments: good.slice(9) } }] }),
    ),
  ],
  [
    'the name in each piece',
    answer(call({ name, arguments: good.slice(0, 9) }), call({ name, arguments: good.slice(9) })),
  ],
  [
    'a piece without function',
    answer(chunk({ tool_calls: [{ index: 0, id: 'c1' }] }), call({ name, arguments: good })),
  ],
  ['a number for an id', answer(call({ name, arguments: good }, { id: 7 }))],
  ['no id', answer(call({ name, arguments: good }, { id: null }))],
  ['the old function_call', answer(chunk({ function_call: { name, arguments: good } }))],
  ['the reason stop', stream(call({ name, arguments: good }), stop, done)],
  ['no reason, but [DONE]', stream(call({ name, arguments: good }), done)],
  [
    'a whole message',
    status(200, {
      choices: [
        {
          message: { content: null, tool_calls: [{ id: 'c', function: { name, arguments: asked } }] },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  ],
];

const eleven = Array.from('abcdefghijk');

/** Questions in any form. */
export const questions: Manner[] = [
  { name: 'a call of the tool', answers: [withInput(good)], question: asked },
  ...forms.map(([form, script]): Manner => ({ name: form, answers: [script], question: asked, isForm: true })),
  {
    name: 'numbers for choices',
    answers: [input({ question: 'How many?', choices: [1, 2] })],
    question: { question: 'How many?', choices: ['1', '2'] },
  },
  {
    name: 'more than ten choices',
    answers: [input({ question: 'Which?', choices: eleven })],
    question: { question: 'Which?', choices: eleven.slice(0, 10) },
  },
  { name: 'one choice', answers: [input({ question: 'Tea?', choices: ['Yes'] })], text: 'Tea?' },
  { name: 'no choices', answers: [input({ question: 'Tea?', choices: [] })], text: 'Tea?' },
  {
    name: 'no choices after text',
    answers: [answer(hello, call({ name, arguments: '{"question":"Tea?"}' }))],
    text: 'Hello\n\nTea?',
  },
  {
    name: 'text before the question',
    answers: [answer(hello, call({ name, arguments: good }))],
    text: 'Hello',
    question: asked,
  },
  {
    name: 'a tool that was not offered, with text',
    answers: [answer(hello, call({ name: 'rocket', arguments: '{}' }))],
    text: 'Hello',
  },
  {
    name: 'a tool that was not offered, without text',
    answers: [answer(call({ name: 'rocket', arguments: '{}' }))],
    text: 'Again.',
    calls: 2,
  },
  {
    name: 'a tool that was not offered, twice',
    answers: [answer(call({ name: 'rocket', arguments: '{}' })), answer(call({ name: 'rocket', arguments: '{}' }))],
    code: 'model_invalid_output',
    calls: 2,
  },
  {
    name: 'arguments that nothing can repair, with text',
    answers: [answer(hello, call({ name, arguments: 'tea' }))],
    text: 'Hello',
  },
  { name: 'arguments that nothing can repair, without text', answers: [withInput('tea')], text: 'Again.', calls: 2 },
  { name: 'no arguments at all', answers: [answer(call({ name }))], text: 'Again.', calls: 2 },
];
