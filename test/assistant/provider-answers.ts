/** Streamed answers in the providers' own wire formats, written by hand after their documentation and the AI SDK's schemas. */
export const choice = { question: 'Which?', choices: ['Tea', 'Coffee'] };

/** The frames of "Hello" and a question. Without the last one the answer is cut off. */
export const answers: Record<string, object[]> = {
  'openai:gpt-4.1': [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-4.1' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'Hello' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm' } },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'f', call_id: 'c1', name: 'user_get_choice', arguments: '' },
    },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: {
        type: 'function_call',
        id: 'f',
        call_id: 'c1',
        name: 'user_get_choice',
        arguments: JSON.stringify(choice),
        status: 'completed',
      },
    },
    { type: 'response.completed', response: { usage: { input_tokens: 7, output_tokens: 3 } } },
  ],
  'anthropic:claude-sonnet-4-5': [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 7, output_tokens: 0 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'c1', name: 'user_get_choice', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(choice) },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  'google:gemini-2.5-flash': [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
    {
      candidates: [
        { content: { role: 'model', parts: [{ functionCall: { name: 'user_get_choice', args: choice } }] } },
      ],
    },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
    },
  ],
};
