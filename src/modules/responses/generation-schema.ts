/** What a response took, in the GraphQL schema, at the message that was answered and at the answer. REST does not have it. */
import { builder } from '../../builder.js';
import { Message } from '../messages/schema.js';
import { costOf, type Prices } from '../usage/prices.js';

/** What is stored about a response that has ended. */
interface Generation {
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  startedAt: Date;
  firstTokenAt: Date | null;
  finishedAt: Date;
}

const columns = {
  model: true,
  inputTokens: true,
  outputTokens: true,
  startedAt: true,
  firstTokenAt: true,
  finishedAt: true,
} as const;

const unknownTokens = 'null if the provider did not report it, or the response was stopped';

const GenerationType = builder.objectRef<Generation>('Generation').implement({
  description: 'What generating a response took.',
  fields: (t) => ({
    model: t.exposeString('model', {
      nullable: true,
      description:
        'The model that generated the response, as named in `AI_MODEL`; of one that failed or was stopped, the model that was called last. Null if it is not known.',
    }),
    inputTokens: t.exposeInt('inputTokens', {
      nullable: true,
      description: `Number of tokens that the model was given; ${unknownTokens}.`,
    }),
    outputTokens: t.exposeInt('outputTokens', {
      nullable: true,
      description: `Number of tokens that the model generated; ${unknownTokens}.`,
    }),
    cost: t.float({
      nullable: true,
      description:
        'What the tokens cost by the price list of the operator, in its currency; null without a price, or where tokens are not known.',
      resolve: (generation, _args, { prices }) => costIn(prices, generation),
    }),
    seconds: t.float({
      description: 'Seconds from the start of the response, after it had waited for its turn, to its end.',
      resolve: ({ startedAt, finishedAt }) => secondsBetween(startedAt, finishedAt),
    }),
    firstTokenSeconds: t.float({
      nullable: true,
      description:
        'Of these, the seconds until the model first said or thought something; null if it never did, or before this was stored.',
      resolve: ({ startedAt, firstTokenAt }) => firstTokenAt && secondsBetween(startedAt, firstTokenAt),
    }),
  }),
});

builder.prismaObjectField(Message, 'generation', (t) =>
  t.field({
    type: GenerationType,
    nullable: true,
    description:
      'What the response took that this message is part of, or that answers it; null while it is generated, if it never began, and for summaries.',
    select: { response: { select: columns }, replyTo: { select: { response: { select: columns } } } },
    resolve: ({ response, replyTo }) => {
      const { startedAt = null, finishedAt = null, ...rest } = response ?? replyTo?.response ?? {};
      if (!startedAt || !finishedAt) return null;
      return { model: null, inputTokens: null, outputTokens: null, firstTokenAt: null, ...rest, startedAt, finishedAt };
    },
  }),
);

function costIn(prices: Prices, { model, inputTokens, outputTokens }: Generation): number | null {
  if (model === null || inputTokens === null || outputTokens === null) return null;
  return costOf(prices, { model, inputTokens, outputTokens });
}

/** The clock of the database may be set back meanwhile. */
function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000;
}
