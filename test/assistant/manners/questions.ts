import { asForm, chunk, cut, done, end, hello, type Manner, manner, say, status, stop, stream } from './manner.js';

const asked = { question: 'Which?', choices: ['Tea', 'Coffee'] };
const good = JSON.stringify(asked);
const name = 'user_get_choice';

const call = (fields: object, more: object = {}) =>
  chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: fields, ...more }] });
const answer = (...frames: object[]) => stream(...frames, end('tool_calls'), done);
const withInput = (input: unknown) => answer(call({ name, arguments: input }));
const input = (fields: object) => withInput(JSON.stringify(fields));

const called = call({ name, arguments: good });
const begun = call({ name, arguments: good.slice(0, 9) });
const rest = { function: { arguments: good.slice(9) } };
const message = { content: null, tool_calls: [{ id: 'c', function: { name, arguments: asked } }] };
const rocket = call({ name: 'rocket', arguments: '{}' });

/** Calls by their ids, names and inputs alone. */
const unnumbered = (...calls: [id: string, name: string, input: string][]) =>
  chunk({ tool_calls: calls.map(([id, called, input]) => ({ id, function: { name: called, arguments: input } })) });

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
  ['pieces', answer(begun, chunk({ tool_calls: [{ index: 0, ...rest }] }))],
  ['pieces without an index', answer(begun, chunk({ tool_calls: [rest] }))],
  ['all of the input so far in each piece', answer(begun, call({ arguments: good.slice(0, 20) }), called)],
  ['all of the input twice', answer(called, called)],
  [
    'an empty object, then pieces',
    answer(call({ name, arguments: {} }), begun, chunk({ tool_calls: [{ index: 0, ...rest }] })),
  ],
  ['the name in each piece', answer(begun, call({ name, arguments: good.slice(9) }))],
  ['a piece without function', answer(chunk({ tool_calls: [{ index: 0, id: 'c1' }] }), called)],
  ['a number for an id', answer(call({ name, arguments: good }, { id: 7 }))],
  [
    'an index as a text',
    answer(call({ name, arguments: good.slice(0, 9) }, { index: '0' }), call(rest.function, { index: '0' })),
  ],
  ['all calls with the index 0', answer(call({ name: 'rocket', arguments: '{}' }, { id: 'c0' }), called)],
  [
    'another call before it, without indexes',
    answer(unnumbered(['c0', 'rocket', '{}']), unnumbered(['c1', name, good])),
  ],
  [
    'another call before it, without indexes in one piece',
    answer(unnumbered(['c0', 'rocket', '{}'], ['c1', name, good])),
  ],
  ['one call in place of a list', answer(chunk({ tool_calls: { function: { name, arguments: asked } } }))],
  ['a call that is null before it', answer(chunk({ tool_calls: [null] }), called)],
  ['a piece without anything before it', answer(chunk({ tool_calls: [{}] }), called)],
  ['no id', answer(call({ name, arguments: good }, { id: null }))],
  ['the old function_call', answer(chunk({ function_call: { name, arguments: good } }))],
  ['the reason stop', stream(called, stop, done)],
  ['no reason, but [DONE]', stream(called, done)],
  ['a whole message', status(200, { choices: [{ message, finish_reason: 'tool_calls' }] })],
];

const inner = JSON.stringify({ name, arguments: asked });
const separate = '<parameter=question>\nWhich?\n</parameter>\n<parameter=choices>\n["Tea", "Coffee"]\n</parameter>';
/** The text of an answer whose server runs without a parser for calls. */
const inText: [string, string][] = [
  ['Qwen', `<tool_call>\n${inner}\n</tool_call>`],
  ['Qwen, cut at its end', `<tool_call>\n${inner}`],
  ["Qwen's newer models", `<tool_call>\n<function=${name}>\n${separate}\n</function>\n</tool_call>`],
  ['Functionary', `<function=${name}>${good}</function>`],
  ['Mistral', `[TOOL_CALLS][${inner}]`],
  ["Mistral's newer models", `[TOOL_CALLS]${name}${good}`],
  ['Llama', JSON.stringify({ name, parameters: asked })],
  ['Llama, with a mark', `<|python_tag|>${JSON.stringify({ type: 'function', name, parameters: asked })}`],
  ['gpt-oss', `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${good}<|call|>`],
  ['DeepSeek', `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n${good}<｜tool▁calls▁end｜>`],
];
/** What looks like a question, and stays text. */
const noQuestions: [string, string][] = [
  ['a call of another tool', 'So:\n<tool_call>\n{"name": "rocket", "arguments": {}}\n</tool_call>\nHello'],
  ['an explanation of the mark', `Write <tool_call> and then ${'words '.repeat(50)}</tool_call>.`],
  ['the name of the tool in a sentence', `<tool_call> is what ${name} begins with.`],
  ['a mark that only begins', 'A < B <tool'],
];

const eleven = Array.from('abcdefghijk');

/** Questions in any form. */
export const questions: Manner[] = [
  manner('a call of the tool', { question: asked }, withInput(good)),
  ...forms.map(([form, script]) => asForm(manner(form, { question: asked }, script))),
  manner(
    'numbers for choices',
    { question: { question: 'How many?', choices: ['1', '2'] } },
    input({ question: 'How many?', choices: [1, 2] }),
  ),
  manner(
    'more than ten choices',
    { question: { question: 'Which?', choices: eleven.slice(0, 10) } },
    input({ question: 'Which?', choices: eleven }),
  ),
  manner('one choice', 'Tea?', input({ question: 'Tea?', choices: ['Yes'] })),
  manner('no choices', 'Tea?', input({ question: 'Tea?', choices: [] })),
  manner('no choices after text', 'Hello\n\nTea?', answer(hello, call({ name, arguments: '{"question":"Tea?"}' }))),
  manner('text before the question', { text: 'Hello', question: asked }, answer(hello, called)),
  manner('a tool that was not offered, with text', 'Hello', answer(hello, rocket)),
  manner('a tool that was not offered, without text', cut, answer(rocket)),
  manner(
    'a tool that was not offered, twice',
    { code: 'model_invalid_output', calls: 2 },
    ...[answer(rocket), answer(rocket)],
  ),
  manner('arguments that nothing can repair, with text', 'Hello', answer(hello, call({ name, arguments: 'tea' }))),
  manner('arguments that nothing can repair, without text', cut, withInput('tea')),
  manner(
    'a model that repeats a brace',
    'Hello',
    answer(hello, call({ name, arguments: `{"question":"Tea?","choices":[${'{'.repeat(60_000)}` })),
  ),
  manner('no arguments at all', cut, answer(call({ name }))),
  ...inText.map(([whose, text]) =>
    manner(`a question in the text, as of ${whose}`, { question: asked }, stream(say(text), stop, done)),
  ),
  ...inText.map(([whose, text]) =>
    asForm(
      manner(`a question in the text after words, cut anywhere, as of ${whose}`, { text: 'Hello', question: asked }, [
        ...stream(hello, ...[...text].map(say), stop, done),
      ]),
    ),
  ),
  manner(
    'a question in the text that is told apart as well, as of text-generation-webui',
    { question: asked },
    answer(say(`<tool_call>${inner.slice(0, -8)}`), called),
  ),
  manner(
    'words after a question in the text',
    { text: 'Hello Bye', question: asked },
    stream(say(`Hello <tool_call>${inner}</tool_call>Bye`), stop),
  ),
  manner(
    '60,000 marks of calls in one piece',
    '<tool_call>'.repeat(60_000),
    stream(say('<tool_call>'.repeat(60_000)), stop),
  ),
  ...noQuestions.map(([what, text]) => manner(`${what} in the text`, text, stream(...[...text].map(say), stop, done))),
];
