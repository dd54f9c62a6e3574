/** The variants of a message in the GraphQL schema. */
import { builder } from '../../../builder.js';
import { maximumVariants } from '../../../contract.js';
import { Message } from '../schema.js';

interface Variants {
  /** In the order in which they were sent. */
  ids: string[];
  /** Index of the message itself. */
  place: number;
}

const MessageVariants = builder.objectRef<Variants>('MessageVariants').implement({
  description:
    'The variants of a user message that was edited or sent again. One of them is part of the active conversation.',
  fields: (t) => ({
    position: t.int({
      description: 'Place of the message among its variants, from 1 for the oldest.',
      resolve: ({ place }) => place + 1,
    }),
    count: t.int({ description: 'Number of variants.', resolve: ({ ids }) => ids.length }),
    previousId: t.id({
      nullable: true,
      description: 'Id of the variant before this one, for `selectVariant`; null for the oldest.',
      resolve: ({ ids, place }) => ids[place - 1] ?? null,
    }),
    nextId: t.id({
      nullable: true,
      description: 'Id of the variant after this one, for `selectVariant`; null for the newest.',
      resolve: ({ ids, place }) => ids[place + 1] ?? null,
    }),
  }),
});

builder.prismaObjectField(Message, 'variants', (t) =>
  t.field({
    type: MessageVariants,
    nullable: true,
    description: 'The variants of the message, itself included; null if it was never edited or sent again.',
    select: {
      turn: { select: { variants: { select: { id: true }, orderBy: { sequence: 'asc' }, take: maximumVariants } } },
    },
    resolve: ({ id, turn }) => {
      if (!turn) return null;
      const ids = turn.variants.map((variant) => variant.id);
      return { ids, place: ids.indexOf(id) };
    },
  }),
);
