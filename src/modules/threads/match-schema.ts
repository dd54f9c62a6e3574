/** Where a search has found a thread, as plain text whose parts say what to mark. */
import { builder } from '../../builder.js';
import { excerptLength, type MatchPart, maximumParts, type ThreadMatch } from './find-matches.js';

const ThreadMatchPart = builder.objectRef<MatchPart>('ThreadMatchPart').implement({
  description: 'A part of a snippet.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Plain text, never markup.' }),
    isHit: t.exposeBoolean('isHit', {
      description: 'True for what was searched for: whole words, as they are written.',
    }),
  }),
});

export const ThreadMatchType = builder.objectRef<ThreadMatch>('ThreadMatch').implement({
  description: 'Where a search has found a thread: in its name, or else in one of its active messages.',
  fields: (t) => ({
    snippet: t.string({
      description: `Plain text around the hit: up to ${excerptLength} characters of the message, with … where more of it is left out, or the whole name.`,
      resolve: ({ parts }) => parts.map(({ text }) => text).join(''),
    }),
    parts: t.field({
      type: [ThreadMatchPart],
      description: 'The snippet in parts, in order. Joined, they are the snippet.',
      extensions: { maximumItems: maximumParts },
      resolve: ({ parts }) => parts,
    }),
  }),
});
