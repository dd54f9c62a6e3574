/**
 * What a model's reason to finish means. Servers write it in many words: those of OpenAI, Anthropic and Google, those of the
 * programs that run models, and some of their own. Upper and lower case, `-` and `_` are the same.
 */
export type FinishMeaning = 'complete' | 'truncated' | 'filtered' | 'failed' | 'malformed' | 'unknown';

const words: Record<Exclude<FinishMeaning, 'unknown'>, readonly string[]> = {
  complete: [
    ...[
      'stop',
      'eos',
      'eos_token',
      'stop_token',
      'stop_sequence',
      'stop_string',
      'end_turn',
      'end',
      'done',
      'complete',
    ],
    ...[
      'completed',
      'finish',
      'finished',
      'success',
      'tool_calls',
      'tool_call',
      'tool_use',
      'function_call',
      'pause_turn',
    ],
  ],
  truncated: [
    ...['length', 'model_length', 'max_length', 'max_tokens', 'max_output_tokens', 'max_completion_tokens'],
    ...['token_limit', 'length_limit', 'incomplete', 'model_context_window_exceeded'],
  ],
  filtered: [
    ...['content_filter', 'content_filtered', 'safety', 'sensitive', 'recitation', 'blocklist', 'prohibited_content'],
    ...['spii', 'image_safety', 'language', 'refusal', 'moderation', 'flagged', 'blocked', 'guardrail_intervened'],
  ],
  failed: [
    ...[
      'error',
      'abort',
      'aborted',
      'cancel',
      'cancelled',
      'canceled',
      'network_error',
      'server_error',
      'internal_error',
    ],
    ...['insufficient_system_resource', 'failed', 'failure', 'timeout', 'timed_out', 'overloaded', 'interrupted'],
  ],
  malformed: ['malformed_function_call', 'malformed_tool_call', 'unexpected_tool_call', 'invalid_tool_call'],
};

const meanings = new Map(
  Object.entries(words).flatMap(([meaning, all]) => all.map((word) => [word, meaning as FinishMeaning] as const)),
);

/** The meaning of a reason; without one the server has only said that the answer is over. */
export function meaningOf(reason: string | null): FinishMeaning {
  if (reason === null) return 'complete';
  const word = reason
    .trim()
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/^(finish_reason|finishreason)[_.]/, '');
  return meanings.get(word) ?? 'unknown';
}
