/** Tests of a service whose conversations outgrow the model: after some 2,000 bytes the older turns are summarized. */
import { summaryRequest } from '../../../src/assistant/summary-texts.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type ModelScript, text } from '../../support/model/model-script.js';

/** `answers` and `summaries` are what the model says next, when it is asked to answer and to summarize; else it says "answer". */
export const it = serviceTest({ environment: { AI_CONTEXT_TOKENS: '1000' } })
  .extend('answers', (): ModelScript[] => [])
  .extend('summaries', (): ModelScript[] => [])
  .extend('scripted', { auto: true }, ({ service, answers, summaries }) => {
    service.model.requests.length = 0;
    service.model.respond(({ body }) => {
      const script = body.messages.at(-1)?.content === summaryRequest ? summaries.shift() : answers.shift();
      return script ?? [text('answer')];
    });
  });
