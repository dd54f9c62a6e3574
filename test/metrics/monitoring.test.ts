/**
 * The dashboard and the alerts that are shipped, against what the service tells: a metric that was renamed would leave an
 * empty panel and an alert that never fires. Prometheus's own tool checks the syntax of the rules and of `/metrics`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures/service.js';
import { type Scrape, scrape } from './scrape.js';

const run = promisify(execFile);
const alerts = 'docs/monitoring/alerts.yaml';
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const note = hasPromtool ? '' : ' (skipped: promtool is not installed)';

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  targets?: { expr: string }[];
}

const dashboard = JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')) as { panels: Panel[] };
const graphs = dashboard.panels.filter(({ type }) => type !== 'row');
const queries = graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The metrics that PromQL names, without the suffixes of histograms. */
function metricsIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) => text.match(/\b(skein|process|nodejs)_\w+/g) ?? []);
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))].toSorted();
}

function servedIn({ text }: Scrape): Set<string> {
  return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
}

describe('docs/monitoring', () => {
  it.for([
    ['dashboard.json', queries],
    ['alerts.yaml', [...readFileSync(alerts, 'utf8').matchAll(/expr:[\s\S]*?(?=\n +(?:for|labels):)/g)].map(String)],
  ] as const)('%s names only metrics that /metrics has', async ([, texts], { service, ada }) => {
    await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    const served = servedIn(await scrape(service.url));
    const named = metricsIn(texts);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !served.has(name))).toEqual([]);
  });

  it('dashboard.json has panels with a title, a description and a query, and each its own id', () => {
    expect(graphs.length).toBeGreaterThan(10);
    for (const panel of graphs) {
      expect(panel, panel.title).toMatchObject({
        title: expect.any(String),
        description: expect.stringMatching(/\.$/),
      });
    }
    expect(graphs.every(({ targets }) => targets?.every(({ expr }) => expr.includes('job="$job"')))).toBe(true);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

describe.skipIf(!hasPromtool)(`promtool${note}`, () => {
  it('accepts the rules', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', alerts]);
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('accepts every query of the dashboard', async ({ folder }) => {
    // As the queries of rules, which are all that the tool checks. Grafana fills in the variables.
    const rules = queries.map((query, index) => ({
      record: `query:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'skein'),
    }));
    const file = join(folder, 'queries.yaml');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { stdout } = await run('promtool', ['check', 'rules', file]);
    expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`);
  });

  it('fires the alerts where they should, and not otherwise', async () => {
    const { stdout } = await run('promtool', ['test', 'rules', 'test/metrics/alerts-test.yaml']);
    expect(stdout).toContain('SUCCESS');
  });

  it('accepts what /metrics says of the service', async ({ service, ada }) => {
    await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
    const { text } = await scrape(service.url);
    // Those of Node are named by the library.
    const own = text.split('\n\n').filter((block) => block.startsWith('# HELP skein_'));
    expect(own.length).toBeGreaterThan(25);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: `${own.join('\n\n')}\n` });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });
});
