/** Creates the worker from the configuration, with its model, limits and shares. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../prisma/generated/client/client.js';
import { createProcessor } from '../assistant/create-processor.js';
import type { Config } from '../config.js';
import { readForModel } from '../modules/attachments/read-for-model.js';
import { Worker } from '../modules/responses/worker/worker.js';
import type { ProcessSettings } from './settings.js';
import type { TokenFeed } from './token-feed.js';

interface WorkerParts {
  config: Config;
  settings: ProcessSettings;
  database: PrismaClient;
  /** Connections reserved for leases. */
  leases: PrismaClient;
  feed: TokenFeed;
  /** Whether no other process can use the database. */
  exclusive: boolean;
  /** Whether no other process uses it yet. */
  startsAlone: boolean;
  logger: Logger;
}

export async function createWorker(parts: WorkerParts): Promise<Worker> {
  const { config, settings, database, leases, feed, exclusive, startsAlone, logger } = parts;
  const { model, aiBaseUrl: baseUrl, aiApiKey: apiKey, systemPrompt } = config;
  const processor = await createProcessor({
    ...{ model, baseUrl, apiKey, systemPrompt },
    readAttachments: (ids) => readForModel(database, ids),
    attachmentBytes: config.attachmentMemory * 2 ** 20,
  });
  return new Worker({
    ...settings,
    shares: { perUser: config.responsesPerUser, perOrganization: config.responsesPerOrganization },
    database,
    leases,
    processor,
    tokens: feed.writer,
    contextTokens: config.contextTokens,
    queueLimitMs: config.queueLimitSeconds === 0 ? null : config.queueLimitSeconds * 1000,
    exclusive,
    startsAlone,
    logger: logger.child({ part: 'worker' }),
  });
}
