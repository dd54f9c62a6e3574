/** What an answer took: which model made it, from and to how many tokens, and in how much time. */
import { generationQuery } from '../../api/late/generation-documents.js';
import type { Generation } from '../../api/types.js';
import { useQuery } from '../../api/use-query.js';
import { formatIn, numbers } from '../../language/formats.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { CloseButton } from '../../ui/common-buttons.js';
import { Dialog } from '../../ui/dialog.js';
import { Problem } from '../../ui/problem.js';
import './answer-details.css';

const texts = defineTexts('conversation/messages/answer-details', {
  title: 'Details of this answer',
  loading: 'Loading the details…',
  nothing: 'Nothing was recorded about this answer.',
  model: 'Model',
  input: 'Input tokens',
  output: 'Output tokens',
  firstToken: 'Time to first token',
  total: 'Total time',
  cost: 'Cost',
  unknown: 'Not known',
});

export interface AnswerDetailsProps {
  threadId: string;
  messageId: string;
  onClose: () => void;
}

export default function AnswerDetails({ threadId, messageId, onClose }: AnswerDetailsProps) {
  const t = useTexts(texts);
  const { found, problem, isLoading } = useQuery(generationQuery, { threadId, id: messageId });
  const generation = found?.message.generation;
  return (
    <Dialog title={t.title} onClose={onClose} isDismissible>
      {isLoading && <p role="status">{t.loading}</p>}
      {generation && <Facts generation={generation} />}
      {generation === null && <p>{t.nothing}</p>}
      <Problem message={problem} />
      <div className="buttons buttons-end">
        <CloseButton onClick={onClose} />
      </div>
    </Dialog>
  );
}

/** Without a currency, which only the operator knows. One answer costs little. */
const money = formatIn((languages) => new Intl.NumberFormat(languages, { maximumSignificantDigits: 3 }));
const seconds = formatIn(
  (languages) =>
    new Intl.NumberFormat(languages, {
      ...{ style: 'unit', unit: 'second', unitDisplay: 'short' },
      maximumFractionDigits: 1,
    }),
);

function Facts({ generation }: { generation: Generation }) {
  const t = useTexts(texts);
  const { models } = useViewer();
  const { model, inputTokens, outputTokens, cost, firstTokenSeconds } = generation;
  const facts: [string, string | null][] = [
    [t.model, models.find(({ id }) => id === model)?.label ?? model],
    [t.input, inputTokens === null ? null : numbers().format(inputTokens)],
    [t.output, outputTokens === null ? null : numbers().format(outputTokens)],
    ...(cost === null ? [] : [[t.cost, money().format(cost)] satisfies [string, string]]),
    [t.firstToken, firstTokenSeconds === null ? null : seconds().format(firstTokenSeconds)],
    [t.total, seconds().format(generation.seconds)],
  ];
  return (
    <dl className="answer-details">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? t.unknown : <bdi>{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}
