/** The available models, and the one of a thread, in the GraphQL schema. REST does not have them. */
import { builder } from '../../builder.js';
import { maximumModels } from '../../contract.js';
import { Thread } from '../threads/schema.js';
import type { ModelChoice } from './model-choice.js';

const Model = builder.objectRef<ModelChoice>('Model').implement({
  description: 'A model that may generate responses.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Name of the model as in `AI_MODEL`, for the `model` of inputs.' }),
    label: t.exposeString('label', { description: 'Name of the model, for people.' }),
    isDefault: t.exposeBoolean('isDefault', {
      description:
        'Whether it generates the responses of threads for which no model was chosen. Where it does not answer, another model of the operator may, before the first token.',
    }),
  }),
});

builder.queryField('models', (t) =>
  t.field({
    type: [Model],
    description: `The models that may be chosen, in the order of the configuration, at most ${maximumModels}. One of them is the default.`,
    extensions: { maximumItems: maximumModels },
    authScopes: { scope: 'threads:read' },
    resolve: (_root, _args, { models }) => [...models],
  }),
);

builder.prismaObjectField(Thread, 'model', (t) =>
  t.exposeString('model', {
    nullable: true,
    description:
      'Id of the model that was last chosen for the thread; null if none was. The default model generates the responses of a thread without one, or whose model is no longer available.',
  }),
);

/** The description of the `model` of an input that sends a message. */
export const modelDescription =
  'Id of the model that generates the response, one of `models`. It becomes the model of the thread. Default: the model of the thread.';
