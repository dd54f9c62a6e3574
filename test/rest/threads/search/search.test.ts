import { describe, expect } from 'vitest';
import { it } from '../../../support/fixtures/service.js';
import { text } from '../../../support/model/model-script.js';
import type { Person } from '../../../support/service.js';
import {
  addThread,
  colleagueOf,
  collectPages,
  listIds,
  listThreads,
  personWithThreads,
} from '../../../support/threads.js';
import { storeMessages } from '../../messages/stored-messages.js';

async function find(person: Person, q: string): Promise<(string | null)[]> {
  return (await listThreads(person.rest, { q })).data.map(({ name }) => name);
}

describe('GET /threads › q › what it searches', () => {
  it('finds threads by their names, in any case', async ({ service }) => {
    const ada = await personWithThreads(service, ['Trip to Rome', 'Invoices']);
    expect(await find(ada, 'rome')).toEqual(['Trip to Rome']);
    expect(await find(ada, 'INVOICES')).toEqual(['Invoices']);
    expect(await find(ada, 'paris')).toEqual([]);
  });

  it('finds threads by the messages of the user and of the assistant, as soon as they are stored', async ({
    service,
  }) => {
    const ada = await personWithThreads(service, ['Another thread']);
    service.model.enqueue([text('Colosseum')]);
    const sent = await ada.rest.createThread({ text: 'What is worth seeing?', name: 'Trip' });
    expect(await find(ada, 'worth')).toEqual(['Trip']);
    await ada.rest.answer(sent);
    expect(await find(ada, 'colosseum')).toEqual(['Trip']);
    expect(await find(ada, 'nothing')).toEqual([]);
  });

  it('searches text, questions and summaries, but not ids, types or choices', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'Trip' });
    await storeMessages(service, id, [
      { role: 'summary', contents: [{ type: 'text', text: 'They talked about ferries.' }] },
      {
        role: 'assistant',
        contents: [
          { type: 'text', text: 'First part' },
          { type: 'user_get_choice', toolUseId: 'call', question: 'Which harbour?', choices: ['Ostia'] },
          { type: 'image', attachmentId: 'att_photo' },
        ],
      },
    ]);
    for (const q of ['ferries', 'part', 'harbour', 'first harbour']) expect(await find(ada, q), q).toEqual(['Trip']);
    for (const q of ['ostia', 'call', 'user_get_choice', 'photo', 'text']) expect(await find(ada, q), q).toEqual([]);
  });

  it('does not search messages that a summary replaced', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'Trip' });
    const say = (text: string) => [{ type: 'text' as const, text }];
    const [message = ''] = await storeMessages(service, id, [{ contents: say('lighthouse') }]);
    expect(await find(ada, 'lighthouse')).toEqual(['Trip']);
    await service.service.database.message.update({ where: { id: message }, data: { active: false } });
    expect(await find(ada, 'lighthouse')).toEqual([]);
    await storeMessages(service, id, [{ contents: say('lighthouse'), role: 'assistant', active: false }]);
    expect(await find(ada, 'lighthouse')).toEqual([]);
  });

  it('lists a thread once, however often it contains the word', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'ferry ferry' });
    const contents = [{ type: 'text' as const, text: 'ferry' }];
    await storeMessages(service, id, [{ contents }, { contents, role: 'assistant' }, { contents }]);
    expect(await find(ada, 'ferry')).toEqual(['ferry ferry']);
  });

  it('finds only what the caller may see', async ({ service }) => {
    const ada = await personWithThreads(service, ['secret of Ada']);
    const bob = await colleagueOf(service, ada);
    const eve = await personWithThreads(service, ['secret of Eve']);
    const hidden = await addThread(service, bob, { isPrivate: true, name: 'secret of Bob' });
    await storeMessages(service, hidden, [{ contents: [{ type: 'text', text: 'secret message' }] }]);
    expect(await find(ada, 'secret')).toEqual(['secret of Ada']);
    expect(await find(bob, 'secret')).toEqual(['secret of Bob', 'secret of Ada']);
    expect(await find(eve, 'secret')).toEqual(['secret of Eve']);
    expect(await find(ada, '-nothing')).toEqual(['secret of Ada']);
  });

  it('finds archived threads only if they are requested', async ({ service }) => {
    const ada = await personWithThreads(service, []);
    const id = await addThread(service, ada, { name: 'old ferry', archived: true });
    expect(await listIds(ada.rest, { q: 'ferry' })).toEqual([]);
    expect(await listIds(ada.rest, { q: 'ferry', archived: true })).toEqual([id]);
  });

  it('gives its results in pages of every order', async ({ service }) => {
    const ada = await personWithThreads(service, ['ferry one', 'ferry two', 'ferry three', 'ferry four', 'train']);
    const newestFirst = await listIds(ada.rest, { q: 'ferry' });
    expect(newestFirst).toHaveLength(4);
    expect(await collectPages(ada.rest, { q: 'ferry', limit: 1 })).toEqual(newestFirst);
    const oldestFirst = { q: 'ferry', sort_by: 'created_at', sort_dir: 'asc' };
    expect(await collectPages(ada.rest, { ...oldestFirst, limit: 3 })).toEqual(newestFirst.reverse());
  });
});
