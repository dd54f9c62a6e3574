/**
 * Contexts of operations of REST. They have the services by inheritance: to copy these for each request would cost more than
 * everything else that the gateway does. So such a context must not be copied itself.
 */
import type { Context } from '../../builder.js';
import type { Viewer } from '../../modules/identity/authenticate.js';
import type { Caller } from '../../platform/server/caller.js';
import type { Services } from '../../services.js';
import { messageCounter } from '../context.js';
import { AnswerBudget } from '../limits/answer-budget.js';

export type RestContext = Context & { answer: AnswerBudget };

export type CreateRestContext = (viewer: Viewer, caller: Caller) => RestContext;

export function restContexts(services: Services): CreateRestContext {
  class Opened {
    readonly viewer: Viewer;
    readonly source: Caller['source'];
    readonly answer: AnswerBudget;
    readonly countMessage: Context['countMessage'];
    readonly #caller: Caller;

    constructor(viewer: Viewer, caller: Caller) {
      this.viewer = viewer;
      this.source = caller.source;
      this.#caller = caller;
      this.countMessage = messageCounter(services, viewer, caller.source);
      this.answer = new AnswerBudget(this as unknown as Context);
    }

    /** Made only for those who ask for it. */
    get signal(): AbortSignal {
      return this.#caller.signal;
    }
  }
  Object.assign(Opened.prototype, services);
  return (viewer, caller) => new Opened(viewer, caller) as unknown as RestContext;
}
