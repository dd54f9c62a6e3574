/** The baseline of `tokens`: a server that asks the model and hands its bytes on, and does nothing else. */
import { request as ask, createServer } from 'node:http';
import { serve } from './program.js';

const modelUrl = `${process.env['MODEL_URL']}/v1/chat/completions`;
const body = JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: 'relay' }] });

const server = createServer((_request, response) => {
  const upstream = ask(modelUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, (answer) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  upstream.end(body);
});
serve(server);
