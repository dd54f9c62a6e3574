/**
 * What `npm run dev` runs: the service, started anew when a source of it changes, and the web application, built anew when a
 * source of that changes; reload the page to see it. One program has both, so that they end together.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { generate } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// As it is before Vite calls this a production build: the service is none.
const environment = { GRAPHIQL: 'on', ...process.env };

generate();
await watchWebApplication();
runService();

/** Resolves when the first build is done, or has failed: Vite says why, and the next change is a new try. */
async function watchWebApplication() {
  const configFile = fileURLToPath(new URL('../src/web/vite.config.ts', import.meta.url));
  const watcher = await build({ configFile, logLevel: 'warn', build: { watch: {} } });
  const stamp = fileURLToPath(new URL('../dist/web/.made', import.meta.url));
  await new Promise((resolve) => {
    watcher.on('event', async (event) => {
      if (event.code === 'BUNDLE_END') {
        // No digest, so that the next start makes the whole of it: here nothing is compressed.
        writeFileSync(stamp, 'development');
        console.error(`Built the web application in ${(event.duration / 1000).toFixed(1)} s.`);
      }
      if (event.code === 'BUNDLE_END' || event.code === 'ERROR') await event.result.close();
      if (event.code === 'END' || event.code === 'ERROR') resolve();
    });
  });
}

/** Ends when the service does. SIGINT comes from a terminal, which sends it to the service itself: a second one would cut its end short. */
function runService() {
  const tsx = createRequire(import.meta.url).resolve('tsx/cli');
  const words = ['watch', '--clear-screen=false', 'src/main.ts', 'serve'];
  const service = spawn(process.execPath, [tsx, ...words], { cwd: root, env: environment, stdio: 'inherit' });
  service.once('exit', (status) => process.exit(status ?? 1));
  process.on('SIGINT', () => {
    // It exits when its service does.
  });
  process.on('SIGTERM', () => service.kill('SIGTERM'));
}
