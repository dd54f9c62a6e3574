/**
 * The checks that real servers make on a chat-completions request, and that decide whether a conversation is dead for
 * ever: roles, empty contents, and one answer for each tool call.
 */
export interface ToolCallMessage {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: ToolCallMessage[];
  tool_call_id?: string;
}

export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  tools?: { type: 'function'; function: { name: string; description?: string; parameters: Record<string, unknown> } }[];
  tool_choice?: unknown;
  /** Why the body could not be read; such a request is refused. */
  error?: unknown;
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** The first reason to refuse the request, or undefined. */
export function requestProblem(body: ChatRequest): string | undefined {
  if (body.error !== undefined) return `We could not parse the JSON body: ${body.error}`;
  if (typeof body.model !== 'string' || body.model === '') return 'you must provide a model parameter';
  if (body.stream !== true) return 'this server only streams';
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "'messages' must be a non-empty array";
  return body.messages.map(messageProblem).find((problem) => problem !== undefined) ?? toolOrderProblem(body.messages);
}

function messageProblem(message: ChatMessage, index: number): string | undefined {
  const at = `messages[${index}]`;
  if (!roles.includes(message.role)) return `Invalid value: '${message.role}' at ${at}.role`;
  const calls = message.tool_calls;
  if (calls !== undefined && (message.role !== 'assistant' || calls.length === 0))
    return `${at}.tool_calls is not allowed`;
  if (calls?.some(isMalformedCall)) return `${at}.tool_calls is malformed`;
  if (message.role === 'tool' && typeof message.tool_call_id !== 'string') return `${at}.tool_call_id is missing`;
  if (message.content === null || message.content === undefined) {
    return calls === undefined ? `${at}.content must not be null` : undefined;
  }
  return isEmptyContent(message.content) ? `${at}.content must not be empty` : undefined;
}

function isMalformedCall(call: ToolCallMessage): boolean {
  if (call.type !== 'function' || typeof call.id !== 'string' || typeof call.function?.name !== 'string') return true;
  try {
    JSON.parse(call.function.arguments);
    return false;
  } catch {
    return true;
  }
}

/** OpenAI itself is lenient with white space; several others are not. */
function isEmptyContent(content: NonNullable<ChatMessage['content']>): boolean {
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? part.type).join('');
  return text.trim() === '';
}

function toolOrderProblem(messages: ChatMessage[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const position = open.indexOf(message.tool_call_id ?? '');
      if (position < 0) return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      open.splice(position, 1);
      continue;
    }
    if (open.length > 0) return unanswered(open);
    open = message.tool_calls?.map((call) => call.id) ?? [];
  }
  return open.length > 0 ? unanswered(open) : undefined;
}

function unanswered(ids: string[]): string {
  return (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${ids.join(', ')}`
  );
}
