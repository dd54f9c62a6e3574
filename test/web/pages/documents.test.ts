/** Every document of the web application is valid for the schema that clients are given. */
import { readFileSync } from 'node:fs';
import { buildSchema, type DocumentNode, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as conversation from '../../../src/web/api/conversation-documents.js';
import * as members from '../../../src/web/api/member-documents.js';
import * as messages from '../../../src/web/api/message-documents.js';
import * as posting from '../../../src/web/api/posting-documents.js';
import * as settings from '../../../src/web/api/settings-documents.js';
import * as threads from '../../../src/web/api/thread-documents.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const all = { ...threads, ...conversation, ...messages, ...posting, ...settings, ...members };
const documents = Object.entries(all).filter(([, document]) =>
  document.definitions.some(({ kind }) => kind === 'OperationDefinition'),
);

describe('the documents of the web application', () => {
  it.each(documents)('%s is valid for the schema', (_name, document: DocumentNode) => {
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  });
});
