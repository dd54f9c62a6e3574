/** Everything that the demo model says. The list in `help` is the documentation of its commands. */
export const demoTexts = {
  help: `I am the **demo model** of this service. I need no network and no key, and I understand nothing: I only look for these words in your message.

| word | what I do |
|---|---|
| \`help\` | show this list |
| \`choice\` or \`ask me\` | ask a question with choices; your next message is the answer |
| \`think\` | think aloud before I answer |
| \`slow\` | answer ten times more slowly, so that there is time to stop me |
| \`long\` | give a long answer |
| \`fail\` | say something, then fail for good |
| \`fail before\` | fail for good before the first word |
| \`fail retry\` | say something, then fail in a way that is tried again, each time |

\`think\` and \`slow\` go together with every other word. To talk to a real model, set \`AI_MODEL\`.
`,

  reply: (quotation: string) => `You wrote:

${quotation}

I am the **demo model**, so that is all that I can say about it. A few things that I can show:

1. *Markdown*, like this list,
2. \`code\`,
3. a question: write **ask me**.

Write **help** for everything that I can do.
`,

  chosen: (choice: string) =>
    `You chose **${choice}**. I am only the demo model, but I think that it is a good choice.\n`,

  ownAnswer: (quotation: string) => `You gave an answer of your own:

${quotation}

That is fine: an answer need not be one of the choices.
`,

  thinking: 'The user wants me to think. I am the demo model, so there is not much to think about. I shall answer now.',

  beforeQuestion: 'I am the demo model, and I have a question.\n',
  question: 'What would you like to drink?',
  choices: ['Coffee', 'Tea', 'Water'],

  beforeFailure: 'I am the demo model, and I was told to fail in the middle of my ',
  failure: 'The demo model was told to fail.',

  longParagraph: `## Another section

I am the demo model, and this answer is long because you asked for it. It has sections, paragraphs and lists, so that you can see how a long text streams, scrolls and reconnects:

- a short item,
- an item with **bold** and *italic* words,
- an item with \`code\`.

`,
  longRepetitions: 20,

  summary: (messages: number, first: string, last: string) => `The demo model summarizes ${messages} messages.

The first thing that the user said:

${first}

The last thing that the user said:

${last}`,
};
