/**
 * Builds what is missing: the Prisma client where the schema changed, the compiled program and the web application where a
 * source changed. Plain JavaScript, because it runs before anything is compiled. Nothing is downloaded: `prisma generate`
 * looks for a schema engine that it never runs, and is given this very program in its place.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Brings `prisma/generated` up to date. */
export function generate() {
  step({
    name: 'the Prisma client',
    stamp: 'prisma/generated/.made',
    inputs: ['prisma/schema.prisma', 'package-lock.json'],
    run: () => runTool('prisma', 'build/index.js', ['generate', '--schema', 'prisma/schema.prisma']),
  });
}

/** Brings `dist` up to date. */
export function build() {
  generate();
  step({
    name: 'the program',
    stamp: 'dist/.made',
    inputs: [...sourcesOfProgram(), 'scripts/build.mjs', 'prisma/generated', 'tsconfig.json', 'package-lock.json'],
    run: () => {
      runTool('typescript', 'bin/tsc', ['--project', 'tsconfig.json']);
      bundle();
    },
  });
  step({
    name: 'the web application',
    stamp: 'dist/web/.made',
    inputs: ['src/web', 'scripts/build.mjs', 'package-lock.json'],
    run: () => {
      runTool('vite', 'bin/vite.js', ['build', '--config', 'src/web/vite.config.ts', '--logLevel', 'warn']);
      compressFiles('dist/web');
    },
  });
}

/** Writes what is worth it as `.br` and `.gz` too, as small as can be: that takes too long for whoever asks first. */
function compressFiles(folder) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(html|js|css|svg|json|webmanifest|txt)$/.test(name)) continue;
    const content = readFileSync(name);
    if (content.length < 1024) continue;
    writeFileSync(`${name}.br`, brotliCompressSync(content));
    writeFileSync(`${name}.gz`, gzipSync(content, { level: 9 }));
  }
}

/** Everything in `src` but the web application, which is built on its own. */
function sourcesOfProgram() {
  const names = readdirSync(join(root, 'src')).filter((name) => name !== 'web');
  return names.map((name) => join('src', name));
}

/**
 * Makes one program of the some 1,300 modules that serving takes: to find, open and compile each of them is most of a start.
 * Functions keep their names, for those who read a stack, and what hardly anybody loads stays outside.
 */
function bundle() {
  const outside = ['pg-native', '@graphql-yoga/render-graphiql'];
  const into = ['--dir', 'dist/program', '--format', 'esm', '--chunkFileNames', '[name].js', '--keepNames'];
  runTool('rolldown', 'bin/cli.mjs', ['dist/src/main.js', ...into, '--platform', 'node', '--external', outside.join()]);
}

function step({ name, stamp, inputs, run }) {
  const made = join(root, stamp);
  if (existsSync(made) && Math.max(...inputs.map((input) => newest(join(root, input)))) <= statSync(made).mtimeMs)
    return;
  const now = new Date();
  const started = performance.now();
  run();
  markMade(stamp, now);
  console.error(`Built ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

/** Says that all of it is there. A file that is saved while it is made is newer than the stamp, and is seen the next time. */
export function markMade(stamp, startedAt) {
  const made = join(root, stamp);
  writeFileSync(made, '');
  utimesSync(made, startedAt, startedAt);
}

function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const entries = readdirSync(path).filter((entry) => entry !== '.made');
  return Math.max(status.isDirectory() ? 0 : status.mtimeMs, ...entries.map((entry) => newest(join(path, entry))));
}

function runTool(packageName, file, args) {
  const program = join(require.resolve(`${packageName}/package.json`), '..', file);
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: path,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (status === 0) return;
  console.error(stdout ?? '', stderr ?? '', error ?? '');
  console.error(`\`${packageName} ${args[0]}\` failed. Run \`npm ci\`, then try again.`);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv[2] === 'generate') generate();
  else build();
}
