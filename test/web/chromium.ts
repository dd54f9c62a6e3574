/** The Chromium of this machine, found by its name; none is downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where it is; undefined where no folder of PATH has one. */
export const chromiumPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => [join(folder, 'chromium'), join(folder, 'chromium-browser')])
  .find(isProgram);

export const hasBrowser = chromiumPath !== undefined;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
