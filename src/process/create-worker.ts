/** Creates the worker from the configuration, with its model, limits and shares. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createProcessors } from '../assistant/create-processor.js';
import type { OnFound } from '../assistant/language-model-processor.js';
import type { Config } from '../config.js';
import type { Listener } from '../database/listener.js';
import { readForModel } from '../modules/attachments/read-for-model.js';
import type { Models } from '../modules/responses/generation/fallback.js';
import { ThreadNamer } from '../modules/responses/naming/thread-namer.js';
import { Worker } from '../modules/responses/worker/worker.js';
import type { Budgets } from '../modules/usage/budgets/budgets.js';
import type { ServiceMetrics } from '../platform/metrics/service-metrics.js';
import type { Tracing } from '../platform/tracing/span.js';
import type { ProcessSettings } from './settings.js';
import type { TokenFeed } from './token-feed.js';

interface WorkerParts {
  config: Config;
  settings: ProcessSettings;
  database: PrismaClient;
  /** Connections reserved for leases. */
  leases: PrismaClient;
  feed: TokenFeed;
  budgets: Budgets;
  listener: Listener;
  /** Whether no other process can use the database. */
  exclusive: boolean;
  /** Whether no other process uses it yet. */
  startsAlone: boolean;
  metrics: ServiceMetrics;
  tracing: Tracing | null;
  logger: Logger;
}

export async function createWorker(parts: WorkerParts): Promise<Worker> {
  const { config, settings, database, leases, feed, budgets, listener, exclusive, startsAlone } = parts;
  const { metrics, tracing, logger } = parts;
  const { model, fallbackModels, models, aiConnection, systemPrompt } = config;
  const workerLogger = logger.child({ part: 'worker' });
  const processors = await createProcessors(config, {
    ...{ ...aiConnection, systemPrompt, without: config.modelWithout ?? [], opensThinking: config.opensThinking },
    onFound: reportTo(workerLogger, metrics),
    readAttachments: (ids) => readForModel(database, ids),
    attachmentBytes: config.attachmentMemory * 2 ** 20,
  });
  const called = (ids: readonly string[]) => ids.flatMap((id) => processors.get(id) ?? []);
  const [first, ...fallbacks] = called([model, ...fallbackModels]);
  if (!first) throw new Error(`The models of the configuration lack ${model}.`);
  const inOrder: Models = [first, ...fallbacks];
  const named = { database, processors: inOrder, budgets, logger: workerLogger };
  const namer = config.threadNames ? new ThreadNamer(named) : null;
  return new Worker({
    ...settings,
    shares: { perUser: config.responsesPerUser, perOrganization: config.responsesPerOrganization },
    database,
    leases,
    processors: inOrder,
    chosenProcessors: new Map(called(models.map(({ id }) => id)).map((chosen) => [chosen.model, chosen])),
    namer,
    budgets,
    tokens: feed.writer,
    contextTokens: config.contextTokens,
    queueLimitMs: config.queueLimitSeconds === 0 ? null : config.queueLimitSeconds * 1000,
    exclusive,
    startsAlone,
    othersWork: () => listener.othersWork(),
    metrics,
    tracing,
    logger: workerLogger,
  });
}

/** A line for the first answer of each model, and for each refusal, so that an operator knows what a model takes. */
function reportTo(logger: Logger, metrics: ServiceMetrics): OnFound {
  const said = (isTaken: boolean | null) => (isTaken === null ? 'untried' : isTaken ? 'yes' : 'no');
  const told = new Set<string>();
  return {
    refused: (model, feature) => {
      metrics.modelRefusals.inc({ feature });
      logger.warn(
        { model, feature },
        `the model refuses ${feature}, which is left out; AI_WITHOUT=${feature} saves the call`,
      );
    },
    answered: (model, { tools, images, usage }) => {
      if (told.has(model)) return;
      told.add(model);
      logger.info({ model }, `model ok: tools ${said(tools)}, images ${said(images)}, usage ${said(usage)}`);
    },
  };
}
