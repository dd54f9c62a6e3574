/** The models that the configuration offers, of which callers choose one for a thread. */
import { InvalidInputError } from '../../errors.js';

export interface ModelChoice {
  /** As in `AI_MODEL`. */
  id: string;
  /** The name for people. */
  label: string;
  /** Whether it answers where none was chosen. */
  isDefault: boolean;
}

/** Throws an `InvalidInputError` unless the model is one of those that are offered, or none is named. */
export function checkModel(models: readonly ModelChoice[], model: string | null): void {
  if (model === null || models.some(({ id }) => id === model)) return;
  const ids = models.map(({ id }) => JSON.stringify(id)).join(', ');
  throw new InvalidInputError([{ field: 'model', message: `must be the id of one of the available models: ${ids}` }]);
}
