/**
 * The files for containers, systemd and Kubernetes, each read by a kept linter of its kind. No container runs here: the
 * neighbouring tests start the program from the files that the image has, and run the balancer's configuration.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { describe, expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.js';
import { it } from '../support/fixtures/folder.js';

const run = promisify(execFile);
const read = (path: string) => readFileSync(path, 'utf8');
const systemdAnalyze = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));

const note = systemdAnalyze ? '' : ' (skipped: no systemd-analyze)';

/** Every variable with which the service is started must be one of its own. */
function expectKnown(variables: Record<string, string>): void {
  const documented = new Set(read('docs/configuration.md').match(/(?<=^\| `)[A-Z_]+(?=`)/gm));
  expect(Object.keys(variables).filter((name) => name !== 'NODE_ENV' && !documented.has(name))).toEqual([]);
}

it('Dockerfile is valid', () => {
  expect(validate(read('Dockerfile'))).toEqual([]);
});

describe('deploy/compose.yaml', () => {
  it('is valid', () => {
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    const results: { messages: { line: number; message: string }[] }[] = linter.lintFiles(
      ['deploy/compose.yaml'],
      false,
    );
    expect(results).toHaveLength(1);
    expect(results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`))).toEqual([]);
  });

  it('starts both nodes with variables that the service knows and accepts', () => {
    const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string>; stop_grace_period: string }>;
    };
    const { environment = {}, stop_grace_period: grace } = services['one'] ?? {};
    expect(services['two']?.environment).toEqual(environment);
    expectKnown(environment);
    const filled = Object.entries(environment).map(([name, value]) => [name, fill(value)]);
    const config = readConfig(Object.fromEntries(filled));
    expect(config).toMatchObject({ publicUrl: 'http://localhost:4000', redisUrl: 'redis://redis:6379' });
    expect(Number.parseInt(String(grace), 10)).toBeGreaterThan(config.graceSeconds + 4);
  });
});

/** As Compose does: the default of a variable, or a value where there must be one. */
function fill(value: string): string {
  return value
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{\w+:\?[^}]*\}/g, 'a-secret-of-at-least-32-characters');
}

describe('deploy/skein.service', () => {
  it.skipIf(systemdAnalyze === undefined)(`is valid for systemd${note}`, async ({ folder }) => {
    const path = join(folder, 'skein.service');
    // Node may be elsewhere on this machine, and systemd looks whether it is there.
    await writeFile(path, read('deploy/skein.service').replace('/usr/bin/node', process.execPath));
    const { stdout, stderr } = await run(String(systemdAnalyze), ['verify', '--man=no', path]);
    expect(stdout + stderr).toBe('');
  });

  it('starts the service as npm start does, with variables that it knows, and waits until it has ended', () => {
    const unit = read('deploy/skein.service');
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(unit).toContain(`ExecStart=/usr/bin/${scripts['start']?.replace(/^exec /, '')}\n`);
    const variables = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    expectKnown(Object.fromEntries(variables));
    const { graceSeconds } = readConfig(Object.fromEntries(variables));
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(graceSeconds + 4);
  });
});

describe('deploy/kubernetes.yaml', () => {
  const objects = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
    (document) => document.toJS() as { apiVersion: string; kind: string },
  );
  const find = <Kind>(kind: string) => objects.find((object) => object.kind === kind) as Kind;

  it('is valid for the types of Kubernetes', async ({ folder }) => {
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'PodDisruptionBudget',
      'Service',
    ]);
    const typed = objects.map((object) => {
      const group = object.apiVersion === 'v1' ? 'core/v1' : object.apiVersion;
      return `${JSON.stringify(object)} satisfies import('kubernetes-types/${group}').${object.kind},\n`;
    });
    const path = join(folder, 'objects.ts');
    await writeFile(path, `export default [\n${typed.join('')}];\n`);
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const args = ['node_modules/typescript/bin/tsc', '--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext'];
    const { stdout } = await run(process.execPath, [...args, '--types', '', path]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('probes what the service has, and waits until it has ended', () => {
    const { data = {} } = find<ConfigMap>('ConfigMap');
    expectKnown(data);
    const { graceSeconds, drainSeconds } = readConfig({ ...data, DATABASE_URL: 'postgresql://skein@database/skein' });
    const pod = find<Deployment>('Deployment').spec?.template.spec;
    const [container] = pod?.containers ?? [];
    expect(container?.livenessProbe?.httpGet?.path).toBe('/healthz');
    expect(container?.startupProbe?.httpGet?.path).toBe('/healthz');
    expect(container?.readinessProbe?.httpGet?.path).toBe('/readyz');
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(graceSeconds + 4);
    const { periodSeconds = 10, failureThreshold = 3 } = container?.readinessProbe ?? {};
    expect(drainSeconds).toBeGreaterThan(periodSeconds * failureThreshold);
  });
});
