/** Where a search found a thread, as plain text whose parts tell what to mark. */
import { builder } from '../../../builder.js';
import { excerptLength, type MatchPart, maximumParts, type ThreadMatch } from './find-matches.js';

const ThreadMatchPart = builder.objectRef<MatchPart>('ThreadMatchPart').implement({
  description: 'A part of a snippet.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The text, without any markup.' }),
    isHit: t.exposeBoolean('isHit', {
      description: 'Whether the part matches the search. Hits are whole words.',
    }),
  }),
});

export const ThreadMatchType = builder.objectRef<ThreadMatch>('ThreadMatch').implement({
  description:
    'Where a search found a thread: in its name (or, without one, the title that the model gave it) or, if not there, in one of its active messages.',
  fields: (t) => ({
    snippet: t.string({
      description: `Plain text around the hit: up to ${excerptLength} characters of the message, with … for omitted text, or the whole name or title.`,
      resolve: ({ parts }) => parts.map(({ text }) => text).join(''),
    }),
    parts: t.field({
      type: [ThreadMatchPart],
      description: 'The snippet, split into hits and other text, in order. Concatenated, the parts are the snippet.',
      extensions: { maximumItems: maximumParts },
      resolve: ({ parts }) => parts,
    }),
  }),
});
