/**
 * Firefox and WebKit as people have them, told what to do in their own protocols: Playwright drives only builds of its own, and
 * through WebDriver BiDi it asks for more than Firefox ESR can do. WebKit gets a screen that nobody sees.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { freePort } from '../support/network/free-port.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { find } from './chromium.js';

/** Sends a command of WebDriver: by its name in Firefox, and by its address in a session of WebKit. */
export type SendCommand = (name: string, path: string, parameters: object) => Promise<unknown>;

/** Each with the programs that are missing here. What is started ends with the test. */
export const engines = [
  { name: 'Firefox', missing: find('firefox-esr', 'firefox') ? [] : ['firefox-esr'], start: startFirefox },
  { name: 'WebKit', missing: ['WebKitWebDriver', 'Xvfb'].filter((name) => !find(name)), start: startWebKit },
];

const patience = { timeout: 60_000 };

async function startFirefox(): Promise<SendCommand> {
  const profile = await mkdtemp(join(await temporaryFolder(), 'skein-firefox-'));
  await writeFile(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n');
  const path = find('firefox-esr', 'firefox') ?? '';
  const browser = spawn(path, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    // As root, it refuses the home of somebody else.
    env: { ...process.env, HOME: profile },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    await end(browser);
    await rm(profile, { recursive: true, force: true });
  });
  const port = await vi.waitFor(() => readFile(join(profile, 'MarionetteActivePort'), 'utf8'), patience);
  const socket = connect(Number(port), '127.0.0.1');
  const messages = messagesOf(socket);
  await messages.next();
  const send = async (name: string, _path: string, parameters: object) => {
    const message = JSON.stringify([0, 0, name, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = (await messages.next()).value as [number, number, unknown, { value: unknown } | null];
    if (error) throw new Error(JSON.stringify(error));
    return result?.value;
  };
  await send('WebDriver:NewSession', '', {});
  return send;
}

/** The messages of Firefox, each after its length. */
async function* messagesOf(stream: Readable): AsyncGenerator<unknown> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let colon = rest.indexOf(':'); colon > 0; colon = rest.indexOf(':')) {
      const last = colon + 1 + Number(rest.subarray(0, colon));
      if (rest.length < last) break;
      yield JSON.parse(rest.toString('utf8', colon + 1, last));
      rest = rest.subarray(last);
    }
  }
}

async function startWebKit(): Promise<SendCommand> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
  onTestFinished(() => end(screen));
  const display = String(await once(screen.stdout, 'data')).trim();
  const port = await freePort();
  // Its sandbox does not start as root.
  const settings = { DISPLAY: `:${display}`, GDK_BACKEND: 'x11', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
  onTestFinished(() => end(driver));
  const request = async (method: string, path: string, parameters?: object) => {
    const body = parameters ? { body: JSON.stringify(parameters) } : {};
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method, ...body });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(JSON.stringify(value));
    return value;
  };
  await vi.waitFor(() => request('GET', 'status'), patience);
  const { sessionId } = (await request('POST', 'session', { capabilities: {} })) as { sessionId: string };
  onTestFinished(() => request('DELETE', `session/${sessionId}`).then(() => undefined));
  return (_name, path, parameters) => request('POST', `session/${sessionId}/${path}`, parameters);
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exit = once(program, 'exit');
  program.kill();
  await exit;
}
