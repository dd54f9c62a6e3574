/** People who use models that cost something, and who may see that. */
import type { Browser } from '../../auth/browser.js';
import { signedIn } from '../../auth/people.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { finish, text, usage } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

export const prices = '{"compatible:scripted": {"input": 2, "output": 10}}';

export async function administratorOf(service: TestService, person: Person): Promise<Browser> {
  return signedIn(service, await colleagueOf(service, person, { role: 'admin' }));
}

/** Somebody in an organization of their own, and the browser of its administrator. */
export async function supervised(service: TestService): Promise<{ ada: Person; browser: Browser }> {
  const ada = await newcomer(service);
  return { ada, browser: await administratorOf(service, ada) };
}

/** A response that takes so many tokens, asked for by the holder of the token. */
export async function take(
  service: TestService,
  { rest }: Pick<Person, 'rest'>,
  inputTokens: number,
  outputTokens = 0,
): Promise<Sent> {
  service.model.enqueue([text('Hi'), usage(inputTokens, outputTokens), finish()]);
  const sent = await rest.createThread({ text: 'Hi' });
  await rest.answer(sent);
  return sent;
}

/** Usage of another day or model, as if it had been added then. */
export async function usedBefore(
  service: TestService,
  { id }: Person,
  row: { day: Date; model?: string; inputTokens?: number; outputTokens?: number },
): Promise<void> {
  const { database } = service;
  const { organizationId } = await database.user.findUniqueOrThrow({ where: { id } });
  const { day, model = 'compatible:scripted', inputTokens = 100, outputTokens = 0 } = row;
  const data = { organizationId, userId: id, model, day, responses: 1, inputTokens, outputTokens };
  await database.usageDay.create({ data });
}
