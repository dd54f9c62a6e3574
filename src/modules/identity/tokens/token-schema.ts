/** Personal access tokens of the viewer in the GraphQL schema. Lists never contain a secret. */
import { builder } from '../../../builder.js';
import { type Scope, scopes, statedLimit } from '../../../contract.js';
import { InvalidInputError, NotFoundError } from '../../../errors.js';
import { checkText } from '../../check-text.js';
import { Node } from '../../node-type.js';
import { isScope } from '../scopes.js';
import {
  createOwnToken,
  defaultTokenDays,
  type IssuedToken,
  maximumTokenDays,
  maximumTokens,
  ownTokens,
  revokeOwnToken,
} from './manage-tokens.js';

const scopeDescriptions: Record<Scope, string> = {
  'me:read': 'Read your identity, your access tokens and the members of your organization.',
  'threads:read': 'Read threads, messages and responses.',
  'threads:write': 'Create, change and delete threads, and send messages.',
  'feedback:write': 'Rate messages of the assistant.',
  'tokens:write': 'Create access tokens with at most the scopes and lifetime of this one, and revoke them.',
};

const ScopeType = builder.enumType('Scope', {
  description: 'What an access token may do.',
  values: Object.fromEntries(
    scopes.map((scope) => [enumNameOf(scope), { value: scope, description: scopeDescriptions[scope] }]),
  ) as Record<string, { value: Scope; description: string }>,
});

const AccessTokenType = builder.prismaObject('AccessToken', {
  description: 'A personal access token, without its secret.',
  interfaces: [Node],
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the token, to revoke it.' }),
    name: t.exposeString('name', { description: 'Name that the owner gave the token.' }),
    lastFour: t.exposeString('lastFour', {
      description: 'The last four characters of the secret, to recognize the token by.',
    }),
    scopes: t.field({
      type: [ScopeType],
      description: 'What the token may do.',
      select: { scopes: true },
      resolve: (token) => token.scopes.filter(isScope),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the token was created.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When the token expires.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the token was last used, accurate to ten minutes.',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When the token was revoked.' }),
  }),
});

builder.queryField('accessTokens', (t) =>
  t.prismaField({
    type: [AccessTokenType],
    description: `Your access tokens, at most ${maximumTokens}: valid tokens first, then those that expired or were revoked, the newest first in each group.`,
    extensions: { maximumItems: maximumTokens },
    authScopes: { scope: 'me:read' },
    resolve: async (query, _root, _args, { database, viewer }) => {
      const { working, ended } = ownTokens(viewer, new Date());
      const newest = { orderBy: { id: 'desc' }, take: maximumTokens } as const;
      const lists = await Promise.all([
        database.accessToken.findMany({ ...query, ...newest, where: working }),
        database.accessToken.findMany({ ...query, ...newest, where: ended }),
      ]);
      return lists.flat().slice(0, maximumTokens);
    },
  }),
);

const IssuedTokenType = builder.objectRef<IssuedToken>('CreatedAccessToken').implement({
  description: 'A new access token.',
  fields: (t) => ({
    secret: t.exposeString('secret', {
      description: 'The token itself, to send as a bearer token. It is returned only once and not stored.',
    }),
    accessToken: t.field({
      type: AccessTokenType,
      description: 'The token without its secret.',
      resolve: (issued) => issued.token,
    }),
  }),
});

const CreateAccessTokenInput = builder.inputType('CreateAccessTokenInput', {
  description: 'A new access token.',
  fields: (t) => ({
    name: t.string({ required: true, description: `Name of the token, ${statedLimit('tokenName')}.` }),
    scopes: t.field({
      type: [ScopeType],
      required: true,
      description: 'What the token may do. A token can only grant scopes that it has itself.',
    }),
    expiresInDays: t.int({
      description: `Days until the token expires: 1 to ${maximumTokenDays}. Default: ${defaultTokenDays}, or until the token in use expires, if that is sooner.`,
    }),
  }),
});

builder.mutationField('createAccessToken', (t) =>
  t.field({
    type: IssuedTokenType,
    description:
      'Creates an access token. A token that is created with another token has at most its scopes, expires no later, and is revoked with it. In the web application all scopes can be chosen.',
    authScopes: { scope: 'tokens:write' },
    errors: { types: [InvalidInputError] },
    args: { input: t.arg({ type: CreateAccessTokenInput, required: true, description: 'The new token.' }) },
    resolve: (_root, { input }, { database, viewer }) => {
      checkText([{ field: 'name', value: input.name, limit: 'tokenName' }]);
      const request = {
        name: input.name,
        scopes: input.scopes,
        expiresInDays: input.expiresInDays ?? null,
      };
      return createOwnToken(database, viewer, request);
    },
  }),
);

builder.mutationField('revokeAccessToken', (t) =>
  t.field({
    type: AccessTokenType,
    description:
      'Revokes one of your access tokens and all tokens created with it, immediately and permanently. A token can always revoke itself and, with `tokens:write`, the tokens created with it. Revoke any other token in the web application.',
    authScopes: (_root, { id }, { viewer }) => id === viewer.tokenId || { scope: 'tokens:write' },
    errors: { types: [NotFoundError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the token.' }) },
    resolve: async (_root, { id }, { database, viewer, viewers }) => {
      const revoked = await revokeOwnToken(database, viewer, id);
      // And the tokens that it made, which end with it.
      viewers.forget(viewer.userId);
      return revoked;
    },
  }),
);

function enumNameOf(scope: Scope): string {
  return scope.toUpperCase().replace(':', '_');
}
