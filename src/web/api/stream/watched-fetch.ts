/**
 * `fetch` for the live connection. The service sends a ping at least every 12 seconds. A stream that is silent for 40
 * seconds is dead, even if the browser has not noticed, so it is aborted and the client reconnects.
 */
import { watchSession } from '../session-ended.js';

const silenceMs = 40_000;

export async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const watch = watchSession();
  const response = await fetch(input, init);
  await watch(response);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) return response;
  return new Response(response.body.pipeThrough(watchdog()), response);
}

function watchdog(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let timer: ReturnType<typeof setTimeout>;
  const watch = (controller: TransformStreamDefaultController) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.error(new Error('The stream has fallen silent.')), silenceMs);
  };
  return new TransformStream({
    start: watch,
    transform: (chunk, controller) => {
      watch(controller);
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
}
