import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { z } from 'zod';

export const choiceToolName = 'user_get_choice';

/** The most answers that a question offers. */
export const mostChoices = 10;

const someText = z.string().trim().min(1);

/**
 * The input of the tool with which the model asks a question. The call ends the generation, and the next user message
 * of the thread is its result.
 */
const choiceInput = z.object({
  question: someText.describe('The question, in the language of the conversation.'),
  choices: z.array(someText).min(2).max(mostChoices).describe('The answers that the user can choose from, each short.'),
});

// Zod's return type covers all JSON schema drafts; the value is of the requested one.
const inputSchema = z.toJSONSchema(choiceInput, { target: 'draft-7' }) as LanguageModelV3FunctionTool['inputSchema'];

export const choiceTools: LanguageModelV3FunctionTool[] = [
  {
    type: 'function',
    name: choiceToolName,
    description:
      'Asks the user a question and offers answers to choose from. Use it only when you cannot go on without the ' +
      "user's decision. It ends your turn: the user's answer comes back as its result. Ask one question at a time.",
    inputSchema,
  },
];
