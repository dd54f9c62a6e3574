/** What a list of threads, a page of messages and a stream show is read in place: a resolver would be called for each of them. */
import { isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.js';

/** The fields of these types that REST selects; those with a resolver stand beside their reason. */
const selected = {
  Thread: ['id', 'name', 'state', 'isPrivate', 'archived', 'createdAt', 'updatedAt'],
  ThreadOwner: ['id', 'name'],
  ThreadConnection: ['edges', 'pageInfo'],
  ThreadEdge: ['node', 'cursor'],
  Message: ['id', 'threadId'],
  MessageConnection: ['edges', 'pageInfo'],
  MessageEdge: ['node', 'cursor'],
  TextBlock: ['text'],
  ImageBlock: ['attachmentId'],
  DocumentBlock: ['attachmentId'],
  UserGetChoiceBlock: ['toolUseId', 'question', 'choices'],
  PageInfo: ['hasNextPage', 'endCursor'],
  ResponseStatus: ['cursor', 'status'],
  ResponseToken: ['cursor'],
  ResponseError: ['cursor', 'message', 'code'],
  ResponseDone: ['cursor'],
};

it.each(Object.entries(selected))('the fields of %s are properties', (name, fields) => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
  const withResolver = fields.filter((field) => type.getFields()[field]?.resolve !== undefined);
  expect(withResolver).toEqual([]);
});
