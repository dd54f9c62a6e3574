import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { identityFragment, presentIdentity } from '../presenters/identity.js';

const Me = operation(`query Me { me { ...Identity } } ${identityFragment}`);

export const getMe = endpoint({
  method: 'GET',
  path: '/me',
  operationId: 'getMe',
  summary: 'Returns the authenticated user and their organization.',
  operation: Me,
  responses: { 200: { description: 'The identity.', schema: 'Identity' } },
  async handle(session) {
    const { me } = await session.run(Me, {});
    return { status: 200, body: presentIdentity(me) };
  },
});
