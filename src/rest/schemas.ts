/**
 * The JSON schemas of what goes in and out of REST, by the names that the OpenAPI document gives them. They say what the
 * specification's tables say, field by field; ajv checks requests against them, and the tests check every response.
 */

import { restProblemCodes } from '../http/problems/codes.js';
import type { JsonSchema } from './json-schema.js';

const timestamp = { type: 'string', format: 'date-time', examples: ['2026-11-20T17:29:00.000Z'] };
const nullable = (schema: JsonSchema) => ({ ...schema, type: [schema['type'], 'null'] });

/** Any text that can be stored. `storable` refuses unpaired surrogates as well, which no portable pattern can. */
export const storableText = { type: 'string', storable: true, pattern: '^[^\\x00]*$' };

/** The same, and not blank. The first part cannot match what the second must, so matching never goes back. */
const messageText = {
  ...storableText,
  minLength: 1,
  maxLength: 100_000,
  pattern: '^\\s*[^\\s\\x00][^\\x00]*$',
};

function object(properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

/** Answers hold exactly the fields that are named; requests may hold more, which are ignored. */
function answer(properties: Record<string, JsonSchema>): JsonSchema {
  return { ...object(properties), additionalProperties: false };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function page(item: string): JsonSchema {
  return answer({
    data: { type: 'array', items: ref(item), description: 'Items of the page.' },
    first_id: { type: ['string', 'null'], description: 'Id of the first item; null when the page is empty.' },
    last_id: { type: ['string', 'null'], description: 'Id of the last item; pass it as `after` to get the next page.' },
    has_more: { type: 'boolean', description: 'True when more items exist beyond this page.' },
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'The limit that was applied.' },
  });
}

/** What the data of an event can hold. */
const eventFields = {
  token: { type: 'string', description: 'In `token`: a text chunk of the response.' },
  message: { type: 'string', description: 'In `error`: what went wrong.' },
};

/** An event of the stream. Its data is JSON in a string: `contentSchema` says which. */
function event(type: string, data: Record<string, JsonSchema>): JsonSchema {
  const json = { type: 'string', contentMediaType: 'application/json', contentSchema: answer(data) };
  const id = { type: 'string', description: 'Position after this event, for `Last-Event-ID`.' };
  return object({ event: { type: 'string', const: type }, data: json, id }, ['id']);
}

/** An event of the stream, with all of its lines. */
export const streamedEvent: JsonSchema = {
  description: 'An event of the stream, as its lines `event`, `data` and `id`.',
  oneOf: [
    event('token', { token: eventFields.token }),
    event('error', { message: eventFields.message }),
    event('done', {}),
  ],
};

/** One of several schemas, told apart by the value of one property. */
function oneOf(propertyName: string, variants: Record<string, string>): JsonSchema {
  const mapping = Object.entries(variants).map(([value, name]) => [value, ref(name).$ref]);
  const discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
  return { oneOf: Object.values(variants).map(ref), discriminator };
}

const block = (type: string, properties: Record<string, JsonSchema>) =>
  answer({ type: { type: 'string', const: type }, ...properties });

export const schemas = {
  Identity: answer({
    sub: { type: 'string', description: 'Stable id of the user.' },
    name: { type: ['string', 'null'], description: 'Display name.' },
    email: { type: ['string', 'null'], description: 'E-mail address of the user.' },
    service_user_id: { type: 'integer', description: 'Internal numeric id of the user.' },
    service_organization_id: { type: 'integer', description: 'Internal numeric id of the organization.' },
    service_organization_slug: { type: 'string', description: 'URL-safe name of the organization.' },
    role: { type: 'string', enum: ['admin', 'member'], description: "The user's role within the organization." },
  }),
  ThreadOwner: answer({
    id: { type: 'string', description: 'Equals the `sub` of that user.' },
    name: { type: ['string', 'null'], description: 'Display name.' },
  }),
  Thread: answer({
    id: { type: 'string', description: 'Unique id of the thread.' },
    name: { type: ['string', 'null'], description: 'Display name.' },
    state: {
      type: 'string',
      enum: ['ready', 'waiting', 'active', 'error', 'interrupted'],
      description: 'What the thread is doing. A message is accepted only in `ready`.',
    },
    is_private: { type: 'boolean', description: 'When true, the thread is visible only to its owner.' },
    archived: { type: 'boolean', description: 'Whether the thread is archived.' },
    owner: ref('ThreadOwner'),
    created_at: { ...timestamp, description: 'When the thread was created.' },
    updated_at: { ...timestamp, description: 'When the thread was last updated.' },
    app_url: { type: 'string', format: 'uri', description: 'Link to the thread in the web application.' },
  }),
  TextBlock: block('text', { text: { type: 'string', description: 'The text, as Markdown.' } }),
  ImageBlock: block('image', { attachment_id: { type: 'string', description: 'Id of the image.' } }),
  DocumentBlock: block('document', { attachment_id: { type: 'string', description: 'Id of the document.' } }),
  UserGetChoiceBlock: block('user_get_choice', {
    tool_use_id: { type: 'string', description: 'Id of the question.' },
    question: { type: 'string', description: 'What the assistant asks.' },
    choices: { type: 'array', items: { type: 'string' }, description: 'The answers to choose from.' },
  }),
  ContentBlock: oneOf('type', {
    text: 'TextBlock',
    image: 'ImageBlock',
    document: 'DocumentBlock',
    user_get_choice: 'UserGetChoiceBlock',
  }),
  Message: answer({
    id: { type: 'string', description: 'Unique id of the message.' },
    thread_id: { type: 'string', description: 'Id of the owning thread.' },
    role: { type: 'string', enum: ['user', 'assistant', 'summary'], description: 'Who speaks.' },
    contents: { type: 'array', items: ref('ContentBlock'), description: 'What is said, in order.' },
    created_at: { ...timestamp, description: 'When the message was added.' },
    app_url: { type: 'string', format: 'uri', description: 'Link to the message in the web application.' },
  }),
  ThreadPage: page('Thread'),
  MessagePage: page('Message'),
  NewThread: object(
    {
      text: { ...messageText, description: 'Initial message text; not blank.' },
      name: nullable({ ...storableText, maxLength: 255, description: 'Display name.' }),
      // Without `default`: code generators make a property that has one required.
      is_private: { type: 'boolean', description: 'When true, only the owner sees the thread. Left out: false.' },
    },
    ['name', 'is_private'],
  ),
  CreatedThread: answer({
    thread_id: { type: 'string', description: 'Id of the new thread.' },
    message_id: { type: 'string', description: 'Id of the initial message.' },
  }),
  NewMessage: object({
    text: { ...messageText, description: 'Message text; not blank.' },
  }),
  SentMessage: answer({
    message_id: { type: 'string', description: 'Id of the new message, to poll or stream its response.' },
  }),
  Feedback: object(
    {
      positive: { type: 'boolean', description: 'True: thumbs up. False: thumbs down.' },
      feedback_text: { ...storableText, maxLength: 10_000, description: 'Free-text comment accompanying the rating.' },
    },
    ['feedback_text'],
  ),
  ProcessingResponse: answer({ status: { type: 'string', const: 'processing' } }),
  CompleteResponse: answer({
    status: { type: 'string', const: 'complete' },
    messages: { type: 'array', items: ref('Message'), description: 'What the assistant said.' },
  }),
  // OpenAPI 3.1 has no schema for one item of a stream, so generated clients type the data of each event with that of the whole.
  // It is one object with optional fields: the three kinds of data have no field in common to tell them apart by.
  ResponseEventData: {
    ...object({ token: eventFields.token, message: eventFields.message }, ['token', 'message']),
    description: 'The data of one event of the stream; empty in `done`.',
    additionalProperties: false,
    maxProperties: 1,
  },
  Problem: {
    type: 'object',
    description: 'What went wrong (RFC 9457), with what to do next in `detail`.',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Kind of the problem.' },
      title: { type: 'string', description: 'The same for every problem of the kind.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'For people: what happened and what to do next.' },
      code: { type: 'string', enum: restProblemCodes, description: 'Stable name of the problem; decide by it.' },
      request_id: { type: 'string', description: 'Id of the request, as in the header `X-Request-Id`.' },
      required_scope: { type: 'string', description: 'On 403: the scope that the token lacks.' },
      'violated-policies': {
        type: 'array',
        description: 'On 429: the limits that were reached, as `RateLimit-Policy` names them.',
        items: { type: 'string' },
      },
      thread_state: {
        type: 'string',
        enum: ['waiting', 'active', 'error', 'interrupted'],
        description: 'On 409: the present state of the thread.',
      },
      errors: {
        type: 'array',
        description: 'On 400: each value that cannot be used.',
        items: {
          type: 'object',
          required: ['message'],
          properties: {
            parameter: { type: 'string', description: 'Name of the parameter of the path or the query.' },
            pointer: { type: 'string', description: 'JSON pointer to the value in the body.' },
            message: { type: 'string', description: 'What is wrong with it.' },
          },
        },
      },
    },
  },
} satisfies Record<string, JsonSchema>;

export type SchemaName = keyof typeof schemas;
