/** A long answer as models write them: paragraphs, lists, code to be coloured, and tables, again and again. */
const section = (number: number) => `## Part ${number}: what the service keeps, and for how long

The service keeps every message **as it was sent**, and an answer as soon as it is whole. While an answer is on its way, its
words are held in a log of their own, from which *any* number of viewers can read at once: each goes on where it was, without
losing or repeating a word. See [the manual, section ${number}](https://example.com/manual/${number}) for the details, or ask
\`GET /threads/{id}/messages\` for the messages alone.

- Messages are ordered by a number that the database gives them, so that two clocks never disagree.
- An answer that was stopped keeps **what was said** until then:
  - the words, as a message of the assistant;
  - the reason, as a field of the thread.
- Nothing is deleted by time alone; \`archived\` threads are only hidden from the list.
- Whoever may see a thread may see all of its messages, whether they were written before or after.

\`\`\`ts
/** Waits until the response number ${number} is complete, and gives its words. */
export async function wordsOf(response: Response, { limit = ${number * 100} }: Options = {}): Promise<string[]> {
  const words: string[] = [];
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'done') break;
    if (event !== 'token') continue; // a status, or a comment
    words.push(JSON.parse(data).token);
    if (words.length >= limit) throw new RangeError(\`more than \${limit} words\`);
  }
  return words;
}
\`\`\`

| what | where | how long | who may read it |
|---|---|---:|---|
| the messages | table \`message\` | always | whoever sees the thread |
| the words of an answer on its way | the token log | ${number} minutes | its viewers |
| a file | the folder of attachments | always | whoever sees the thread |
| a session | table \`session\` | 30 days | nobody |
| what was said of an answer | table \`feedback\` | always | its author |

1. First, open the stream, and keep its last id.
2. Then read; on a failure, wait for a moment, and open it again with \`Last-Event-ID\`.
3. At \`done\`, close it. The answer is stored by then, and \`GET …/response\` gives it as a whole.

> Whoever reads twice sees the same: the words of an attempt that failed are never mixed with those of the next.

`;

/** The first `count` tokens of an answer without an end. A token is a short word with its space, or a part of a long one. */
export function longAnswer(count: number): string[] {
  const tokens: string[] = [];
  for (let number = 1; tokens.length < count; number += 1) {
    tokens.push(...(section(number).match(/\s?[^\s]{1,6}|\s/g) ?? []));
  }
  return tokens.slice(0, count);
}
