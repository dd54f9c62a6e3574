/** The metrics of a process, in addition to Node's own. */
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import type { Listener } from '../database/listener.js';
import type { ChangeSignals } from '../modules/feeds/change-signals.js';
import type { Worker } from '../modules/responses/worker/worker.js';
import { readBacklog } from '../modules/threads/history.js';
import type { TokenLog } from '../modules/tokens/log/token-log.js';
import { sharedWithinMs } from '../platform/async/time-limit.js';
import type { FairSemaphore } from '../platform/fairness/fair-semaphore.js';
import type { ServiceMetrics } from '../platform/metrics/service-metrics.js';
import type { Rates } from '../platform/rates/rates.js';
import type { MetricSource } from '../routes/operator.js';

/** A frozen database must not delay the other metrics. */
const scrapeLimitMs = 2_000;

interface Sources {
  database: PrismaClient;
  tokenLog: TokenLog;
  threadChanges: ChangeSignals;
  worker: Worker | null;
  rates: Rates;
  answers: FairSemaphore;
  listener: Listener;
  metrics: ServiceMetrics;
}

export function gaugesOf(sources: Sources): MetricSource[] {
  return [...backlogGauges(sources.database), ...workerGauges(sources), ...viewerGauges(sources)];
}

/** -1 while the database is away. */
function backlogGauges(database: PrismaClient): MetricSource[] {
  // Gauges that are read at the same time share one statement.
  const read = sharedWithinMs(scrapeLimitMs, () => readBacklog(database).catch(() => null));
  return [
    {
      name: 'skein_oldest_unfinished_response_seconds',
      help: 'Age of the oldest response that is queued or running, in the whole service; -1 while the database is away.',
      read: async () => (await read())?.oldestUnfinished ?? -1,
    },
    {
      name: 'skein_queued_responses',
      help: 'Responses that wait for a worker, in the whole service; -1 while the database is away.',
      read: async () => (await read())?.queued ?? -1,
    },
    {
      name: 'skein_oldest_queued_response_seconds',
      help: 'Age of the oldest response that waits for a worker, in the whole service; -1 while the database is away.',
      read: async () => (await read())?.oldestQueued ?? -1,
    },
  ];
}

function workerGauges({ worker }: Sources): MetricSource[] {
  return [
    {
      name: 'skein_impossible_pairs_repaired_total',
      help: 'Threads whose state contradicted their response, repaired by this process. Anything but 0 is a fault: see the log.',
      kind: 'counter',
      read: () => worker?.repaired ?? 0,
    },
    {
      name: 'skein_takeovers_total',
      help: 'Responses of lost workers that this process reclaimed.',
      kind: 'counter',
      read: () => worker?.reclaimed ?? 0,
    },
    { name: 'skein_running_responses', help: 'Responses that this process generates.', read: () => worker?.size ?? 0 },
  ];
}

function viewerGauges({ tokenLog, threadChanges, rates, answers, listener, metrics }: Sources): MetricSource[] {
  return [
    {
      name: 'skein_open_streams',
      help: 'Streams that are open on this process, over all transports.',
      read: () => metrics.countStreams(),
    },
    {
      name: 'skein_listener_reconnects_total',
      help: 'Times that the connection for notifications of PostgreSQL was lost and restored.',
      kind: 'counter',
      read: () => listener.reconnects,
    },
    { name: 'skein_viewers', help: 'Viewers of responses on this process.', read: () => tokenLog.stats().readers },
    {
      name: 'skein_thread_followers',
      help: 'Subscribers to changes of threads on this process.',
      read: () => threadChanges.stats().followers,
    },
    {
      name: 'skein_rate_store_failures',
      help: 'Times that this process could not add its counts of requests to those of the other nodes, since it started.',
      read: () => rates.storeFailures,
    },
    {
      name: 'skein_answer_bytes',
      help: 'Bytes of large answers that this process is making, or that their callers have not taken yet.',
      read: () => answers.used,
    },
    {
      name: 'skein_token_log_bytes',
      help: 'Text in the token log of this process.',
      read: () => tokenLog.stats().bytes,
    },
  ];
}
