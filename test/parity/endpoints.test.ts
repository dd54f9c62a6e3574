/** Every endpoint, parameter and outcome of REST has one counterpart in GraphQL, and GraphQL has no other without a reason. */
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/errors.js';
import { inputs } from './counterparts.js';
import { argumentsOf, endpoints, transportParameters, transportStatuses, typesOf } from './endpoints.js';
import { cases } from './outcome-cases.js';
import * as problems from './problems.js';
import { nameOf, operations } from './rest-objects.js';

const sorted = (names: Iterable<string>) => [...names].sort();
const rows = Object.entries(endpoints);

describe('the table of endpoints', () => {
  it('has every operation of the OpenAPI document', () => {
    expect(sorted(Object.keys(endpoints))).toEqual(sorted(operations.map(({ operationId }) => operationId)));
  });

  it.each(operations)('gives each parameter of $operationId one place', ({ operationId, parameters, requestBody }) => {
    const counterpart = endpoints[operationId];
    const places = Object.values(counterpart?.parameters ?? {});
    const named = parameters.map(({ name }) => name).filter((name) => !(name in transportParameters));
    expect(sorted(Object.keys(counterpart?.parameters ?? {}))).toEqual(sorted(named));
    expect(places).toEqual([...new Set(places)]);
    expect(counterpart?.body).toBe(nameOf(requestBody?.content['application/json']?.schema ?? {}));
  });

  it.each(rows)('decides on each argument of %s in GraphQL', (_name, endpoint) => {
    const { parameters, body, argumentsGraphqlOnly = {} } = endpoint;
    const input = inputs[body ?? ''];
    const inBody = [...Object.values(input?.fields ?? {}), ...Object.keys(input?.graphqlOnly ?? {})];
    const named = [...Object.values(parameters), ...inBody.map((field) => `input.${field}`)];
    expect(sorted(new Set([...named, ...Object.keys(argumentsGraphqlOnly)]))).toEqual(sorted(argumentsOf(endpoint)));
  });

  it.each(operations)('has every status that $operationId documents', ({ operationId, responses }) => {
    const statuses = Object.keys(endpoints[operationId]?.outcomes ?? {}).map((outcome) => outcome.slice(0, 3));
    const own = (names: string[]) => sorted(new Set(names.filter((status) => !transportStatuses.includes(status))));
    expect(own(statuses)).toEqual(own(Object.keys(responses)));
  });

  it.each(rows)('has every member of the result of %s once', (_name, endpoint) => {
    const outcomes = Object.values(endpoint.outcomes);
    expect(outcomes).toEqual([...new Set(outcomes)]);
    const types = typesOf(endpoint);
    const members = endpoint.value ? [] : types;
    const named = outcomes.filter((outcome) => types.includes(outcome));
    expect(sorted([...named, ...Object.keys(endpoint.graphqlOnly ?? {})])).toEqual(sorted(members));
  });

  it('has an outcome for every problem and every code, or says where it is tested', () => {
    const met = rows.flatMap(([, { outcomes }]) => Object.keys(outcomes).map((outcome) => outcome.slice(4)));
    const codes = met.flatMap((problem) => problems.problems[problem] ?? []);
    const others = [...Object.keys(problems.unreachable), ...Object.keys(problems.elsewhere)];
    expect(sorted([...new Set(codes), ...others])).toEqual(sorted(errorCodes));
  });

  it('has a request for every outcome', () => {
    const asked = new Set(cases.map(({ endpoint, outcome }) => `${endpoint} → ${outcome}`));
    const all = rows.flatMap(([name, { outcomes }]) => Object.keys(outcomes).map((outcome) => `${name} → ${outcome}`));
    expect(sorted(asked)).toEqual(sorted(all));
  });
});
