import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { prefixes } from '../access/endpoint-cases.js';
import { it, type OpenApiDocument } from './openapi-document.js';

describe('GET /openapi.json', () => {
  it.for(prefixes)('is public under %s and names that prefix as its server', async (prefix, { service, document }) => {
    const { status, headers, body } = await service.client(undefined, prefix).get<OpenApiDocument>('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect([body.openapi, body.servers]).toEqual(['3.1.1', [{ url: `https://skein.test${prefix}` }]]);
    expect(body.paths).toEqual(document.paths);
    expect(body.components).toEqual(document.components);
  });

  it('ignores a token, even an invalid one', async ({ service, ada }) => {
    expect((await ada.rest.get('/openapi.json')).status).toBe(200);
    expect((await service.client('nonsense').get('/openapi.json')).status).toBe(200);
  });
});

describe('the description', () => {
  it('holds valid JSON schemas of the dialect 2020-12, and no keyword of our own', ({ document }) => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, validateFormats: false });
    ajv.addVocabulary(['components', 'discriminator']);
    ajv.addSchema({ $id: 'skein', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `skein#/components/schemas/${name}` }), name).not.toThrow();
    }
  });
});
