import { describe, expect } from 'vitest';
import { joinTokens, type ReceivedEvent } from '../../support/clients/sse.js';
import { it } from '../../support/fixtures/service.js';
import {
  breakConnection,
  cutStream,
  errorFrame,
  gate,
  type ModelScript,
  reasoning,
  text,
  wait,
} from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { collectEvents } from '../viewing/collect-events.js';
import { pollOf, rowOf, shown, stateOf, textsOf } from '../viewing/response-facts.js';

const startsOver = 'The text so far is void, and the response starts over. Drop that text and open the stream again.';
const behind = (event: ReceivedEvent | undefined) => ({ headers: { 'last-event-id': event?.id ?? '' } });

/** A response that breaks after "Hel" when told to, and whose second attempt says "Good", and " day" when told to. */
async function breakingResponse(service: TestService, ada: Person) {
  const [breaks, goesOn] = [gate(), gate()];
  service.model.enqueue(
    [text('Hel'), wait(breaks.passed), breakConnection()],
    [text('Good'), wait(goesOn.passed), text(' day')],
  );
  const sent = await ada.rest.createThread({ text: 'Hi' });
  return { sent, breakOff: breaks.open, goOn: goesOn.open };
}

describe('worker › a fault in the middle of the text', () => {
  it('tells its viewers to reconnect, and shows new streams the new attempt alone', async ({ service, ada }) => {
    const { sent, breakOff, goOn } = await breakingResponse(service, ada);
    const viewers = await Promise.all([ada.rest.stream(sent), ada.rest.stream(sent)]);
    const firsts = await Promise.all(viewers.map((viewer) => viewer.next()));
    breakOff();
    const ends = await Promise.all(viewers.map(collectEvents));
    for (const events of ends) expect(shown(events)).toEqual([['error', startsOver]]);
    const fresh = await ada.rest.stream(sent);
    const returned = await ada.rest.stream(sent, behind(ends[0]?.[0]));
    expect((await fresh.next()).value?.data).toEqual({ token: 'Good' });
    expect(shown(await ada.rest.streamToEnd(sent, behind(firsts[0]?.value)))).toEqual([['error', startsOver]]);
    expect(await stateOf(ada.rest, sent)).toBe('active');
    expect(await pollOf(ada.rest, sent)).toEqual([202, undefined]);
    goOn();
    expect(joinTokens(await collectEvents(fresh))).toBe(' day');
    expect(joinTokens(await collectEvents(returned))).toBe('Good day');
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Good day']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 2, epoch: 2 });
  });

  it.for<[string, ModelScript]>([
    ['a reset connection', [text('Hel'), breakConnection({ reset: true })]],
    ['a stream that ends without a reason', [text('Hel'), cutStream()]],
    ['an error inside the stream', [text('Hel'), errorFrame({ message: 'overloaded', code: 529 })]],
    ['an answer of nothing but white space', [text(' \n')]],
  ])('starts the response over: %s', async ([_name, first], { service, ada }) => {
    service.model.enqueue(first, [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(sent);
    expect(shown(await ada.rest.streamToEnd(sent))).toEqual([['token', 'Hello'], ['done']]);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hello']);
    expect(await rowOf(service, sent)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  it('is invisible in REST if only thinking came before it', async ({ service, ada }) => {
    const breaks = gate();
    service.model.enqueue([reasoning('Hmm'), wait(breaks.passed), breakConnection()], [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    const viewer = await ada.rest.stream(sent);
    breaks.open();
    expect(shown(await collectEvents(viewer))).toEqual([['token', 'Hello'], ['done']]);
    expect(await rowOf(service, sent)).toMatchObject({ attempt: 2 });
  });

  it('is final the third time: the thread is in error, and the last text stays readable', async ({ service, ada }) => {
    const gates = [gate(), gate(), gate()];
    const words = ['one', 'two', 'three'];
    service.model.enqueue(
      ...words.map((word, index) => [text(word), wait(gates[index]?.passed ?? Promise.resolve()), breakConnection()]),
    );
    const sent = await ada.rest.createThread({ text: 'Hi' });
    for (const [index, word] of words.entries()) {
      const viewer = await ada.rest.stream(sent);
      expect((await viewer.next()).value?.data).toEqual({ token: word });
      gates[index]?.open();
      const lost = 'The connection to the AI model was lost.';
      expect(shown(await collectEvents(viewer))).toEqual([['error', index < 2 ? startsOver : lost]]);
    }
    expect(await stateOf(ada.rest, sent)).toBe('error');
    expect(await pollOf(ada.rest, sent)).toEqual([404, 'response_failed']);
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: three']);
    expect(await rowOf(service, sent)).toMatchObject({
      status: 'failed',
      attempt: 3,
      errorCode: 'model_connection_lost',
    });
  });
});
