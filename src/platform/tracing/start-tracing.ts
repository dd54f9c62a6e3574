import type { Logger } from 'pino';
import type { TracingSettings } from './read-tracing.js';
import type { Tracing } from './span.js';

/** Null without settings: then nothing of OpenTelemetry is loaded. */
export async function startTracing(settings: TracingSettings | null, logger: Logger): Promise<Tracing | null> {
  if (settings === null) return null;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(settings, logger);
}
