/**
 * What the scripted model says, step by step, in the wire format of OpenAI-style chat completions. The test owns the
 * time: `wait` stops at a promise that the test resolves. The headers of the answer leave with the first step that
 * sends something, so a script may also break, hang or wait before them.
 */
export type ModelStep =
  | { do: 'frame'; payload: object }
  | { do: 'raw'; text: string }
  | { do: 'answer'; status: number; type: string; pieces: readonly string[]; then: AfterAnswer }
  | { do: 'open' }
  | { do: 'wait'; gate: Promise<unknown> }
  | { do: 'usage'; inputTokens: number; outputTokens: number }
  | { do: 'finish'; reason: string }
  | { do: 'refuse'; status: number; headers: Record<string, string>; body: string }
  | { do: 'break'; reset: boolean }
  | { do: 'hang' }
  | { do: 'end' };

/** What becomes of the connection after an answer; `comment`: it stays open, and comments come for ever. */
export type AfterAnswer = 'end' | 'hang' | 'break' | 'comment';

export type ModelScript = readonly ModelStep[];

function delta(fields: object): ModelStep {
  return { do: 'frame', payload: { choices: [{ index: 0, delta: fields, finish_reason: null }] } };
}

export const text = (content: string): ModelStep => delta({ content });
export const reasoning = (content: string): ModelStep => delta({ reasoning_content: content });

/** A tool call whose arguments come in fragments; a string is sent as it is, also when it is not JSON. */
export function toolCall(call: { id: string; name: string; arguments: unknown; index?: number }): ModelStep[] {
  const { id, name, index = 0 } = call;
  const json = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const fragments = json.match(/[\s\S]{1,7}/g) ?? [];
  return [
    delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...fragments.map((fragment) => delta({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ];
}

/** Sends the headers and nothing else. */
export const openStream = (): ModelStep => ({ do: 'open' });
export const wait = (gate: Promise<unknown>): ModelStep => ({ do: 'wait', gate });

/** The token counts of the last frame; sent only to a client that asked for them. */
export const usage = (inputTokens: number, outputTokens: number): ModelStep => ({
  do: 'usage',
  inputTokens,
  outputTokens,
});

/** The reason, the token counts and `[DONE]`. A script that does not say how it ends is ended with `finish('stop')`. */
export const finish = (
  reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | (string & {}) = 'stop',
): ModelStep => ({ do: 'finish', reason });

/** A frame that is sent as it is. */
export const rawFrame = (data: string): ModelStep => ({ do: 'raw', text: `data: ${data}\n\n` });

/** A whole answer byte for byte, in pieces that leave one after the other. */
export const rawAnswer = (
  pieces: string | readonly string[],
  {
    status = 200,
    type = 'text/event-stream',
    then = 'end',
  }: { status?: number; type?: string; then?: AfterAnswer } = {},
): ModelStep => ({ do: 'answer', status, type, pieces: typeof pieces === 'string' ? [pieces] : pieces, then });

/** An error inside the stream, as servers send it that had already answered 200. */
export const errorFrame = (error: Record<string, unknown>): ModelStep => ({ do: 'frame', payload: { error } });

/** An HTTP error with an OpenAI-style body. */
export function httpError(
  status: number,
  options: {
    message?: string;
    type?: string;
    code?: string | null;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): ModelStep {
  const { message = `Scripted error ${status}`, type = 'api_error', code = null, headers = {} } = options;
  const body = options.body ?? JSON.stringify({ error: { message, type, param: null, code } });
  return { do: 'refuse', status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** Destroys the socket; `reset` sends a TCP reset. Before the first frame the client gets no answer at all. */
export const breakConnection = (options: { reset?: boolean } = {}): ModelStep => ({
  do: 'break',
  reset: options.reset ?? false,
});

/** Ends the answer properly for HTTP, without a reason to finish and without `[DONE]`. */
export const cutStream = (): ModelStep => ({ do: 'end' });

/** Keeps the connection open and sends nothing more. */
export const hang = (): ModelStep => ({ do: 'hang' });

/** A promise that the test resolves with `open()`. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

export const defaultScript: ModelScript = [text('Hello'), text(' from'), text(' the model.')];
