/** What an operator can do about the errors of a model, for the log and the command line. */
import type { GenerationErrorCode } from './processor.js';

export const operatorActions: Record<GenerationErrorCode, string> = {
  model_rate_limited: 'Wait, or raise the limit at the provider of the model.',
  model_quota_exceeded: 'Add credit at the provider of the model, or raise the quota there.',
  model_unavailable:
    'Check that the server of the model runs, and that AI_BASE_URL is its address; it usually ends in /v1.',
  model_timeout: 'Raise AI_FIRST_TOKEN_SECONDS and AI_SILENCE_SECONDS, or use a faster model.',
  model_connection_lost: 'Look at the log of the server of the model, and at what is between it and this service.',
  model_rejected_request:
    "Check the name of the model in AI_MODEL, and that AI_BASE_URL is right: it usually ends in /v1, that of google: in /v1beta. A server of OpenAI's chat completions needs compatible:NAME.",
  model_unauthorized: 'Check AI_API_KEY, and that this key may use the model.',
  model_content_filtered: 'Look at the content filter of the provider.',
  model_context_exceeded: 'Lower AI_CONTEXT_TOKENS, or give the model a larger context.',
  model_empty_response:
    'Look at the log of the server of the model. A reasoning model may need a larger limit of its answers.',
  model_invalid_output: 'Check that AI_BASE_URL is the address of an OpenAI-compatible server; it usually ends in /v1.',
  model_output_too_large: 'Limit the length of answers at the server of the model.',
  model_failed: 'Look at the log of the server of the model.',
  budget_exceeded: 'Raise the budget with `skein budget set`, or wait until it renews.',
};

/** Errors that every further call has too, until somebody acts. */
export const lastingErrors: ReadonlySet<GenerationErrorCode> = new Set(['model_unauthorized', 'model_quota_exceeded']);
