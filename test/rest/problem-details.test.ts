/** What a refusal says to whoever reads it: which value is at fault, and what it must be, in the words of GraphQL's refusals. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';

const it = serviceTest({ settings: { concurrency: 0 } });

describe('the detail of a body that is refused', () => {
  it.for([
    ['The body is not valid JSON', '{'],
    ['The body must be a JSON object', '[]'],
    ['/text: is required', '{}'],
    ['/text: must be a string', '{"text": 5}'],
    ['/text: must not be empty or only white space', '{"text": " "}'],
    ['/name: must be a string or null', '{"text": "Hi", "name": 5}'],
    ['/is_private: must be true or false', '{"text": "Hi", "is_private": 1}'],
    ['/text: must be at most 100000 characters long', JSON.stringify({ text: 'x'.repeat(100_001) })],
    ['/name: must be at most 255 characters long', JSON.stringify({ text: 'Hi', name: 'x'.repeat(256) })],
    ['/text: is required; /name: must be a string or null', '{"name": 5}'],
  ] as const)('says: %s', async ([detail, body], { ada }) => {
    const reply = await ada.rest.post('/threads', body);
    expect([reply.status, reply.body.detail]).toEqual([400, detail]);
  });
});

describe('the detail of a query that is refused', () => {
  it.for([
    ['limit: must be at least 1', 'limit=0'],
    ['limit: must be a whole number', 'limit=x'],
    ['owned: must be true or false', 'owned=yes'],
    ['sort_dir: must be one of asc, desc', 'sort_dir=down'],
    ['q: must be at most 500 characters long', `q=${'x'.repeat(501)}`],
    ['updated_since: must be an ISO 8601 date-time such as 2026-11-20T17:29:00Z', 'updated_since=now'],
  ] as const)('says: %s', async ([detail, query], { ada }) => {
    const reply = await ada.rest.get(`/threads?${query}`);
    expect([reply.status, reply.body.detail]).toEqual([400, detail]);
  });
});
