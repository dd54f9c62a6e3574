/** What Lighthouse says of the conversation page, as a phone and as a desk computer load it. */
import type { Result } from 'lighthouse';
import type { BenchContext, Device, Row } from '../bench.js';
import type { Site } from './site.js';

const leastPoints = 95;
const categories = { performance: 'performance', accessibility: 'accessibility', 'best-practices': 'best practices' };

export async function measureLighthouse(
  { scale, progress }: BenchContext,
  site: Site,
  threadId: string,
): Promise<Row[]> {
  const { devices, runs, quietMs } = scale.web.lighthouse;
  const rows: Row[] = [];
  for (const device of devices) {
    const results: Result[] = [];
    for (let run = 1; run <= runs; run += 1) {
      progress(`Lighthouse, ${device}, ${run} of ${runs}`);
      results.push(await audit(site, { path: `/threads/${threadId}`, device, quietMs }));
    }
    for (const [id, name] of Object.entries(categories)) rows.push(rowOf(results, { id, name, device }));
  }
  return rows;
}

interface Audited {
  path: string;
  device: Device;
  quietMs: number;
}

/** Says of itself that it is to be run again: the browser recorded nothing of the loading of the page. */
const unrecorded = 'NO_NAVSTART';
const mostRecordings = 3;

async function audit({ context, service, debuggingPort }: Site, { path, device, quietMs }: Audited): Promise<Result> {
  // To load it takes longer than many a benchmark.
  const { default: lighthouse, desktopConfig } = await import('lighthouse');
  const cookies = await context.cookies();
  const options = {
    port: debuggingPort,
    onlyCategories: Object.keys(categories),
    extraHeaders: { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    disableStorageReset: true,
    // The live connection never ends, so that the page is never quiet: Lighthouse waits for as long as it may.
    maxWaitForLoad: quietMs,
    logLevel: 'error',
  } as const;
  const record = () => lighthouse(service.url + path, options, device === 'desktop' ? desktopConfig : undefined);
  let audited = await record();
  for (let recordings = 1; recordings < mostRecordings; recordings += 1) {
    if (audited?.lhr.runtimeError?.code === unrecorded) audited = await record();
  }
  if (!audited) throw new Error('Lighthouse gave no result.');
  const { runtimeError } = audited.lhr;
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.code} ${runtimeError.message}`);
  return audited.lhr;
}

/** The row of a category: the points of every run, since the limit is for each, and what cost points in the worst. */
function rowOf(results: readonly Result[], { id, name, device }: { id: string; name: string; device: string }): Row {
  const pointsOf = ({ categories }: Result) => Math.round((categories[id]?.score ?? Number.NaN) * 100);
  const points = results.map(pointsOf);
  const worst = Math.min(...points);
  const reasons = results.filter((result) => pointsOf(result) === worst).flatMap((result) => lossesOf(result, id));
  return {
    what: `Lighthouse, ${device}: ${name}`,
    ours: [`${points.join(' ')} points`, ...new Set(reasons)].join(', '),
    baseline: '',
    measured: worst,
    unit: 'points',
    least: leastPoints,
  };
}

function lossesOf({ categories, audits }: Result, id: string): string[] {
  return (categories[id]?.auditRefs ?? [])
    .map((ref) => ({ ...ref, audit: audits[ref.id] }))
    .filter(({ weight, audit }) => weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 0.9)
    .map(({ id: auditId, audit }) => `${auditId} ${audit?.displayValue ?? ''}`.trim());
}
