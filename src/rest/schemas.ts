/**
 * The JSON schemas of request and response bodies, under the names they have in the OpenAPI document. They follow the
 * tables of the specification field by field. ajv checks requests against them, and the tests check every response.
 */

import { budgetPeriods, budgetScopes, budgetUnits, maximumPageSize, textLimits } from '../contract.js';
import { restProblemCodes } from '../http/problems/codes.js';
import type { JsonSchema } from './json-schema.js';

const timestamp = { type: 'string', format: 'date-time', examples: ['2026-11-20T17:29:00.000Z'] };

/** Any text that PostgreSQL can store. `storable` also rejects unpaired surrogates, which no portable pattern can. */
export const storableText = { type: 'string', storable: true, pattern: '^[^\\x00]*$' } as const;

/** A position in a list or a stream. */
export const cursorText = { ...storableText, maxLength: 500 } as const;

/**
 * Like `storableText`, but not blank. The two parts of the pattern match disjoint characters, so it never backtracks.
 */
const messageText = {
  ...storableText,
  minLength: 1,
  maxLength: textLimits.message.max,
  pattern: '^\\s*[^\\s\\x00][^\\x00]*$',
} as const;

function object<const Properties extends Record<string, JsonSchema>, const Optional extends string = never>(
  properties: Properties,
  optional: readonly Optional[] = [],
) {
  type Required = Exclude<keyof Properties & string, Optional>;
  const names: readonly string[] = optional;
  const required = Object.keys(properties).filter((name): name is Required => !names.includes(name));
  return { type: 'object', required, properties } as const;
}

/** Responses have exactly these fields. Requests may have others, which are ignored. */
function answer(properties: Record<string, JsonSchema>): JsonSchema {
  return { ...object(properties), additionalProperties: false };
}

/** A reference to a schema of the document. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function page(item: string): JsonSchema {
  return answer({
    data: { type: 'array', items: ref(item), description: 'Items of the page.' },
    first_id: { type: ['string', 'null'], description: 'Id of the first item; null if the page is empty.' },
    last_id: {
      type: ['string', 'null'],
      description:
        'Id of the last item; pass it as `after` to get the next page. If a search ended the page without any item, the id of the last thread that it examined.',
    },
    has_more: {
      type: 'boolean',
      description: 'Whether there is a next page. If a search ended this page early, the next one may be empty.',
    },
    limit: { type: 'integer', minimum: 1, maximum: maximumPageSize, description: 'The limit that was applied.' },
  });
}

/** The fields of the data of stream events. */
const eventFields = {
  token: { type: 'string', description: 'In a `token` event: the next piece of the text.' },
  message: { type: 'string', description: 'In an `error` event: what went wrong, for people.' },
};

/** An event of the stream. Its data is JSON in a string, described by `contentSchema`. */
function event(type: string, data: Record<string, JsonSchema>): JsonSchema {
  const json = { type: 'string', contentMediaType: 'application/json', contentSchema: answer(data) };
  const id = { type: 'string', description: 'Position after this event, to resume with `Last-Event-ID`.' };
  return object({ event: { type: 'string', const: type }, data: json, id }, ['id']);
}

/** An event of the stream, with all of its fields. */
export const streamedEvent: JsonSchema = {
  description: 'An event of the stream, with its fields `event`, `data` and `id`.',
  oneOf: [
    event('token', { token: eventFields.token }),
    event('error', { message: eventFields.message }),
    event('done', {}),
  ],
};

/** One of several schemas, discriminated by the value of a property. */
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
    id: { type: 'string', description: 'Id of the user, the same as their `sub`.' },
    name: { type: ['string', 'null'], description: 'Display name.' },
  }),
  Thread: answer({
    id: { type: 'string', description: 'Unique id of the thread.' },
    name: { type: ['string', 'null'], description: 'Display name.' },
    state: {
      type: 'string',
      enum: ['ready', 'waiting', 'active', 'error', 'interrupted'],
      description: 'State of the thread. A message is accepted only in `ready`.',
    },
    is_private: { type: 'boolean', description: 'Whether only the owner can see the thread.' },
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
    question: { type: 'string', description: 'The question.' },
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
    role: { type: 'string', enum: ['user', 'assistant', 'summary'], description: 'Who wrote the message.' },
    contents: { type: 'array', items: ref('ContentBlock'), description: 'The content of the message, in order.' },
    created_at: { ...timestamp, description: 'When the message was added.' },
    app_url: { type: 'string', format: 'uri', description: 'Link to the message in the web application.' },
  }),
  ThreadPage: page('Thread'),
  MessagePage: page('Message'),
  NewThread: object(
    {
      text: { ...messageText, description: 'Text of the first message. Must not be blank.' },
      name: { ...storableText, type: ['string', 'null'], maxLength: textLimits.name.max, description: 'Display name.' },
      // No `default`, because code generators make a property with a default required.
      is_private: { type: 'boolean', description: 'Whether only the owner can see the thread. Default: false.' },
    },
    ['name', 'is_private'],
  ),
  CreatedThread: answer({
    thread_id: { type: 'string', description: 'Id of the new thread.' },
    message_id: { type: 'string', description: 'Id of the first message.' },
  }),
  NewMessage: object({
    text: { ...messageText, description: 'Text of the message. Must not be blank.' },
  }),
  SentMessage: answer({
    message_id: { type: 'string', description: 'Id of the new message, to poll or stream its response.' },
  }),
  Feedback: object(
    {
      positive: { type: 'boolean', description: 'Whether the rating is thumbs up (true) or thumbs down (false).' },
      feedback_text: { ...storableText, maxLength: textLimits.feedback.max, description: 'Comment on the rating.' },
    },
    ['feedback_text'],
  ),
  ProcessingResponse: answer({ status: { type: 'string', const: 'processing' } }),
  CompleteResponse: answer({
    status: { type: 'string', const: 'complete' },
    messages: { type: 'array', items: ref('Message'), description: 'The assistant messages, in order.' },
  }),
  // OpenAPI 3.1 cannot describe the items of a stream, so generated clients type the data of each event with the schema
  // of the whole. It is one object with optional fields because the three kinds of data share no field that could
  // discriminate them.
  ResponseEventData: {
    ...object({ token: eventFields.token, message: eventFields.message }, ['token', 'message']),
    description: 'The data of one event of the stream. The data of `done` is empty.',
    additionalProperties: false,
    maxProperties: 1,
  },
  Problem: {
    type: 'object',
    description: 'An error (RFC 9457). `detail` tells what to do next.',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'Type of the problem.' },
      title: { type: 'string', description: 'Short summary, the same for all problems of this type.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What happened and what to do next, for people.' },
      code: { type: 'string', enum: restProblemCodes, description: 'Stable code of the problem, for programs.' },
      request_id: { type: 'string', description: 'Id of the request, as in the header `X-Request-Id`.' },
      required_scope: { type: 'string', description: 'With status 403: the scope that the token lacks.' },
      'violated-policies': {
        type: 'array',
        description: 'With status 429: the exceeded limits, as named in `RateLimit-Policy`.',
        items: { type: 'string' },
      },
      budget: {
        type: 'object',
        description: 'With code `budget_exceeded`: the budget that is used up.',
        required: ['scope', 'period', 'unit', 'maximum'],
        properties: {
          scope: { type: 'string', enum: budgetScopes, description: 'Whose usage it limits.' },
          period: { type: 'string', enum: budgetPeriods, description: 'How often it renews, in UTC.' },
          unit: { type: 'string', enum: budgetUnits, description: 'What it counts.' },
          maximum: { type: 'number', description: 'How much may be taken until it renews.' },
        },
      },
      renews_at: { ...timestamp, description: 'With code `budget_exceeded`: when the budget renews.' },
      thread_state: {
        type: 'string',
        enum: ['waiting', 'active', 'error', 'interrupted'],
        description: 'With status 409: the present state of the thread.',
      },
      errors: {
        type: 'array',
        description: 'With status 400: every invalid value.',
        items: {
          type: 'object',
          required: ['message'],
          properties: {
            parameter: { type: 'string', description: 'Name of the path or query parameter, or header.' },
            pointer: { type: 'string', description: 'JSON pointer to the value in the body.' },
            message: { type: 'string', description: 'What is wrong with the value.' },
          },
        },
      },
    },
  },
} satisfies Record<string, JsonSchema>;

export type SchemaName = keyof typeof schemas;
