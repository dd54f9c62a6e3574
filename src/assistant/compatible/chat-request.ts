/**
 * Writes a prompt in the chat completions wire. Neighbouring messages of one role become one, because the templates of many
 * models demand that user and assistant take turns.
 */
import type {
  LanguageModelV3Message,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { ModelRequest } from '../language-model.js';

type ChatPart = { type: 'text'; text: string } | ({ type: string } & Record<string, unknown>);
type ChatContent = string | ChatPart[];

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: ChatContent | null;
  tool_calls?: object[];
  tool_call_id?: string;
}

type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** The body of the request, as JSON. */
export function chatRequest(name: string, { systemPrompt, messages, tools, without }: ModelRequest): string {
  const system: ChatMessage[] = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  const functions = tools.map(({ name: tool, description, inputSchema }) => ({
    type: 'function',
    function: { name: tool, description, parameters: inputSchema },
  }));
  return JSON.stringify({
    model: name,
    messages: merged([...system, ...messages.flatMap(toChatMessages)]),
    stream: true,
    ...(without.has('usage') ? {} : { stream_options: { include_usage: true } }),
    ...(functions.length === 0 ? {} : { tools: functions, tool_choice: 'auto' }),
  });
}

function toChatMessages(message: LanguageModelV3Message): ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content.filter((part) => part.type === 'tool-result').map(resultMessage);
  }
}

/** A text where there is nothing else, because some servers know no lists of parts. */
function userContent(content: UserContent): ChatContent {
  const parts = content.map((part): ChatPart => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const url = `data:${part.mediaType};base64,${String(part.data)}`;
    if (part.mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
    return { type: 'file', file: { filename: part.filename ?? 'file', file_data: url } };
  });
  const texts = parts.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : null));
  return texts.every((text) => text !== null) ? texts.join('\n\n') : parts;
}

function assistantMessage(content: AssistantContent): ChatMessage {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = content.filter((part) => part.type === 'tool-call').map(toChatCall);
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toChatCall({ toolCallId, toolName, input }: LanguageModelV3ToolCallPart): object {
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: JSON.stringify(input) } };
}

function resultMessage({ toolCallId, output }: LanguageModelV3ToolResultPart): ChatMessage {
  const content = output.type === 'text' ? output.value : JSON.stringify(output);
  return { role: 'tool', tool_call_id: toolCallId, content };
}

function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const isSameTurn = last?.role === message.role && message.role !== 'tool' && !last.tool_calls;
    if (isSameTurn) turns.pop();
    turns.push(isSameTurn ? { ...message, content: joined(last.content, message.content) } : message);
  }
  return turns;
}

function joined(first: ChatContent | null, second: ChatContent | null): ChatContent | null {
  if (first === null || second === null) return first ?? second;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: ChatContent): ChatPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
