/**
 * Builds what is missing: the Prisma client, the compiled program and the web application, each where its inputs are not those
 * that it was made from. That is decided by a digest of their contents, since the times of files say nothing after a checkout,
 * a copy or an installation. Plain JavaScript, because it runs before anything is compiled. Nothing is downloaded.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const client = {
  name: 'the Prisma client',
  stamp: 'prisma/generated/.made',
  inputs: () => ['prisma/schema.prisma', 'scripts/generate-client.mjs', 'package-lock.json'],
  run: () => run('scripts/generate-client.mjs'),
};

const program = {
  name: 'the program',
  stamp: 'dist/.made',
  inputs: () => [
    ...sourcesOfProgram(),
    'prisma/schema.prisma',
    'tsconfig.json',
    'scripts/build.mjs',
    'package-lock.json',
  ],
  run: () => {
    removeOrphans();
    runTool('typescript', 'bin/tsc', ['--project', 'tsconfig.json']);
    bundle();
  },
};

const webApplication = {
  name: 'the web application',
  stamp: 'dist/web/.made',
  inputs: () => ['src/web', 'src/contract', 'scripts/build.mjs', 'package-lock.json'],
  run: () => {
    runTool('vite', 'bin/vite.js', ['build', '--config', 'src/web/vite.config.ts', '--logLevel', 'warn']);
    compressFiles('dist/web');
  },
};

/** Brings `prisma/generated` up to date. */
export function generate() {
  make(client);
}

/** Brings `dist` up to date. */
export function build() {
  for (const step of [client, program, webApplication]) make(step);
}

/**
 * Before a start: builds where that is needed and possible. An installation without development dependencies is never built, and
 * a package, which has no sources, is what it is. Returns what to do where the program cannot be started.
 */
export function buildForStart() {
  if (!existsSync(join(root, 'src'))) return existsSync(join(root, 'dist/program/main.js')) ? null : incomplete;
  if ([program, webApplication].every(isCurrent)) return null;
  if (!canBuild()) return existsSync(join(root, 'node_modules')) ? remedy : uninstalled;
  build();
  return null;
}

/** After an installation: builds, or says why not where the development dependencies were omitted. */
function prepare() {
  if (canBuild()) return build();
  const advice = buildForStart();
  if (advice) console.error(advice);
}

const remedy =
  'Skein is not built from these sources, and the development dependencies that build it are not installed. ' +
  'Run `npm ci --include=dev`, which builds it, and then `npm prune --omit=dev`, which removes them again.';

const uninstalled = 'Skein is not installed yet. Run `npm ci`, which installs and builds it, then `npm start` again.';

const incomplete = 'This package of Skein was made before it was built. Run `npm ci` and `npm pack` in its repository.';

function canBuild() {
  return ['@prisma/internals', 'typescript', 'rolldown', 'vite'].every((name) =>
    existsSync(join(root, 'node_modules', name)),
  );
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

/** Removes what was compiled from files that were moved since: an import of it would work here, and in no new checkout. */
function removeOrphans() {
  const compiled = join(root, 'dist/src');
  if (!existsSync(compiled)) return;
  for (const name of readdirSync(compiled, { recursive: true })) {
    const source = join(root, 'src', name).replace(/\.js(\.map)?$/, '');
    if (/\.js(\.map)?$/.test(name) && !existsSync(`${source}.ts`)) rmSync(join(compiled, name));
  }
}

/**
 * Makes one program of the some 1,300 modules that serving takes: to find, open and compile each of them is most of a start.
 * So the program needs no package but the embedded PostgreSQL. Functions keep their names, for those who read a stack.
 */
function bundle() {
  // What an earlier version was cut into would otherwise be packed with this one.
  rmSync(join(root, 'dist/program'), { recursive: true, force: true });
  const into = ['--dir', 'dist/program', '--format', 'esm', '--chunkFileNames', '[name].js', '--keepNames'];
  // A single character beyond Latin-1, in a comment too, makes V8 keep the whole source with two bytes for each character.
  const small = ['--charset', 'ascii', '--no-comments'];
  // Whatever the variable is: graphql and others have slower checks for development.
  const production = ['--transform.define', "process.env.NODE_ENV:'production'"];
  const target = ['--platform', 'node', '--external', 'pg-native', ...production];
  runTool('rolldown', 'bin/cli.mjs', ['dist/src/main.js', ...into, ...small, ...target]);
}

function make(step) {
  if (isCurrent(step)) return;
  // Before it is made: a file that is saved meanwhile makes another digest the next time.
  const made = digest(step.inputs());
  const started = performance.now();
  // So that what a failed attempt leaves behind is never taken for what was made before.
  rmSync(join(root, step.stamp), { force: true });
  step.run();
  writeFileSync(join(root, step.stamp), made);
  console.error(`Built ${step.name} in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

function isCurrent({ stamp, inputs }) {
  const made = join(root, stamp);
  return existsSync(made) && readFileSync(made, 'utf8') === digest(inputs());
}

/** Of the names and contents of files, and of all files in folders. */
function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

function filesOf(path) {
  const status = statSync(join(root, path), { throwIfNoEntry: false });
  if (!status) return [];
  if (!status.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`));
}

function runTool(packageName, file, args) {
  run(join(require.resolve(`${packageName}/package.json`), '..', file), args);
}

function run(program, args = []) {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      // What is built is the same, whatever the environment of whoever builds: React has slow checks for development.
      NODE_ENV: 'production',
      PATH: path,
    },
  });
  if (status === 0) return;
  console.error(stdout ?? '', stderr ?? '', error ?? '');
  console.error(`\`${[program, ...args].join(' ')}\` failed. Run \`npm ci\`, then try again.`);
  process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const commands = { generate, prepare };
  (commands[process.argv[2]] ?? build)();
}
