/** The span of a call of the model, in the words of OpenTelemetry's conventions for generative AI. Never with a text. */
import type { Attributes, Span } from '../../../platform/tracing/span.js';

/** Null if the response is not traced. `model` is a value of `AI_MODEL`. */
export function startModelSpan(response: Span | null, model: string): Span | null {
  if (response === null) return null;
  const [provider = '', ...rest] = model.split(':');
  const name = rest.join(':') || provider;
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': conventional.get(provider) ?? provider,
    'gen_ai.request.model': name,
  };
  return response.child(`chat ${name}`, { kind: 'client', attributes });
}

const conventional = new Map([['google', 'gcp.gemini']]);

/** The headers that continue the trace at the model's server. */
export function headersOf(call: Span | null): Record<string, string> {
  return call ? { traceparent: call.traceparent } : {};
}
