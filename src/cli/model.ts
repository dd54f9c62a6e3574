import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { checkModel, type ModelReport } from '../assistant/model-check.js';
import { allModels, connectedProvider, providerOf } from '../assistant/model-list.js';
import { parseModelName } from '../assistant/model-name.js';
import { wordsIn } from '../assistant/provider-errors.js';
import type { Config } from '../config.js';
import { operatorActions } from '../modules/responses/generation/operator-actions.js';
import { GenerationError } from '../modules/responses/generation/processor.js';
import { value } from './command-line.js';
import { loadConfig } from './load-config.js';

const check = new Command('check')
  .description(
    'Ask each configured model a real question, and say what it takes and what to change. Costs a few calls.',
  )
  .option('--model <name>', 'Check only this model, named as in AI_MODEL', modelName)
  .action(async ({ model: only }) => {
    const { config } = loadConfig();
    const models = only === undefined ? allModels(config) : [only];
    for (const model of models) await report(model, config);
  });

function modelName(text: string): string {
  try {
    parseModelName(value(text));
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
  return text;
}

export const modelCommand = new Command('model').description('Check the configured models.').addCommand(check);

async function report(model: string, config: Config): Promise<void> {
  if (model === 'demo') return console.log('demo: model ok; it is built in and needs no server');
  const isConnected = providerOf(model) === connectedProvider(config) || !allModels(config).includes(model);
  const { aiConnection, systemPrompt, modelWithout: without, opensThinking } = config;
  const connection = isConnected ? aiConnection : {};
  const { baseUrl } = connection;
  process.stderr.write(`Asking ${model}${baseUrl !== undefined ? ` at ${baseUrl}` : ''} …\n`);
  try {
    const settings = { ...connection, model, systemPrompt, without: without ?? [], opensThinking };
    const { signal } = new AbortController();
    console.log(linesOf(model, await checkModel(settings, signal)).join('\n'));
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    process.exitCode = 1;
    console.log(
      [`${model}: ${error.message} (${error.code})`, ...said(error.cause), operatorActions[error.code]].join('\n  '),
    );
  }
}

function linesOf(model: string, { text, firstTokenMs, found, refused }: ModelReport): string[] {
  const yes = (isTaken: boolean | null) => (isTaken ? 'yes' : 'no');
  const features = `tools ${yes(found.tools)}, images ${yes(found.images)}, usage ${yes(found.usage)}`;
  const [answer = ''] = text.trim().split('\n');
  const without = [...new Set(refused)];
  return [
    `${model}: model ok: ${features}`,
    `  answered ${JSON.stringify(answer.slice(0, 100))}, beginning after ${(firstTokenMs / 1000).toFixed(1)} s`,
    ...(without.length === 0
      ? []
      : [`  set AI_WITHOUT=${without.join(',')} to save the calls in which it refuses these`]),
    ...(text.includes('</think>') ? ['  its template opens the thinking itself: set AI_THINKS_FIRST=on'] : []),
  ];
}

/** The beginning of what the server said, for the operator alone. */
function said(cause: unknown): string[] {
  const words = cause === undefined ? '' : wordsIn(cause).replaceAll(/\s+/g, ' ').trim();
  return words === '' ? [] : [`The server said: ${words.slice(0, 300)}`];
}
