/** How the programs of the benchmarks talk to the process that started them. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers each question that is named, over the channel. */
export function answerQuestions(answers: Record<string, (argument: unknown) => unknown>): void {
  process.on('message', ({ id, question, argument }: { id: number; question: string; argument: unknown }) => {
    const answer = answers[question];
    if (answer) void Promise.resolve(answer(argument)).then((said) => process.send?.({ id, answer: said ?? null }));
  });
}

/** Listens on a free port, says where, and ends with the process that started this one. */
export function serve(server: Server): void {
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ url: `http://127.0.0.1:${port}` });
  });
}
