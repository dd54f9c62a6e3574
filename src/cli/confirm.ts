import { Option } from '@commander-js/extra-typings';
import { ProvisionError } from '../modules/identity/provision.js';

/** The option of commands that delete for good. */
export const yes = () =>
  new Option('--yes', 'Delete it: without this, the command only says what it would delete').default(false);

/** Throws what would be deleted, unless the caller has said yes. */
export function requireYes(isSaid: boolean, what: string): void {
  if (!isSaid)
    throw new ProvisionError(
      `This would delete ${what}, for good. Take a backup if you may need it, and repeat the command with --yes.`,
    );
}
