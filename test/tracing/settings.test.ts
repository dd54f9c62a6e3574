/** The standard variables of OpenTelemetry: which traces are sent where, and what is wrong with a configuration. */
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.js';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

function tracingOf(environment: Record<string, string>) {
  return readConfig(environment).tracing;
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...endpoint, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('traces', () => {
  it.for<[string, Record<string, string>]>([
    ['without an endpoint', { OTEL_SERVICE_NAME: 'chat', OTEL_TRACES_SAMPLER: 'unheard-of' }],
    ['with an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['if OpenTelemetry is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['if traces go nowhere', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('are off %s', ([, environment]) => {
    expect(tracingOf(environment)).toBeNull();
  });

  it('need nothing but an endpoint', () => {
    expect(tracingOf(endpoint)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      timeoutMs: 10_000,
      resource: { 'service.name': 'skein' },
      sampler: 'parentbased_always_on',
      ratio: 1,
      delayMs: 5000,
      queueSize: 2048,
      batchSize: 512,
    });
  });

  it('take all of their variables', () => {
    const environment = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, tenant = one,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'tenant=two',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_SERVICE_NAME: 'chat',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,region=eu',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
    };
    expect(tracingOf(environment)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: { 'api-key': 'a b', tenant: 'two' },
      timeoutMs: 2000,
      resource: { 'service.name': 'chat', region: 'eu' },
      sampler: 'traceidratio',
      ratio: 0.25,
      delayMs: 100,
      queueSize: 64,
      batchSize: 64,
    });
  });

  it.for([
    ['http://collector/otlp/', 'http://collector/otlp/v1/traces'],
    ['https://collector/otlp?x=1', 'https://collector/otlp/v1/traces?x=1'],
  ])('go to a path below the common endpoint %s', ([url = '', expected]) => {
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url })?.url).toBe(expected);
  });

  it('go to exactly the endpoint of their own', () => {
    const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/here' };
    expect(tracingOf(own)?.url).toBe('https://traces/here');
  });

  it('take the name of the service from the attributes if there is no other', () => {
    expect(tracingOf({ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'service.name=chat' })?.resource).toEqual({
      'service.name': 'chat',
    });
  });

  it.for<[string, string, RegExp]>([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', /not a URL that starts with http:/],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /"grpc" is not one of http\/protobuf$/],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc', /"grpc" is not one of/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no-value', /not a list such as "api-key=secret"/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=c', /not a list such as/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=a%0Ab', /not a list of HTTP headers/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=100%', /write a comma or "%" within a value/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'nothing', /not a list such as "service.version=2,region=eu"/],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /"jaeger_remote" is not one of always_on, /],
    ['OTEL_TRACES_SAMPLER_ARG', '25%', /"25%" is not a number from 0 to 1/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /"1.5" is not a number from 0 to 1/],
    ['OTEL_TRACES_EXPORTER', 'console', /"console" is not one of otlp, none/],
    ['OTEL_SDK_DISABLED', 'yes', /"yes" is not one of true, false/],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '4096', /must be at most OTEL_BSP_MAX_QUEUE_SIZE, which is 2048/],
  ])('are refused with one problem for %s=%s', ([name, value, expected]) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
  });

  it.for(['hush', 'api-key=hush%00hush', 'api-key=hush%'])(
    'never repeat a header, which may be a secret: %s',
    (value) => {
      const [problem] = problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: value });
      expect(problem).toBeDefined();
      expect(problem).not.toContain('hush');
    },
  );
});
