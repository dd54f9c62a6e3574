/**
 * Reads the address of a PostgreSQL server as its provider gives it out. The driver says what it does not take late and as a
 * defect, and warns of what it understands otherwise than PostgreSQL's own clients: here that is refused before anything
 * starts, or written as the driver takes it.
 */
import { accessSync, constants } from 'node:fs';

const modes = ['disable', 'no-verify', 'verify-full'];
/** With these, too, the driver checks the certificate and the name of the server: more than PostgreSQL's own clients do. */
const strictModes = ['prefer', 'require', 'verify-ca'];

/** The URL for the driver. Throws an `Error` that tells the operator what is wrong with `text`, and never contains the password. */
export function readDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Error('not a URL that starts with postgres:// or postgresql://');
  if (/^[^?]*@[^/?]*,/.test(text)) throw new Error('names several hosts; name one, or a balancer in front of them');
  // Who gives a socket in `host=` may leave out the host after the user.
  const url = text.replace(/^([^/]*\/\/[^/]*@)\//, '$1localhost/');
  if (!URL.canParse(url) || new URL(url).hash) {
    throw new Error(
      'not a valid URL; percent-encode special characters in its password, such as / as %2F and # as %23',
    );
  }
  const parameters = new URL(url).searchParams;
  checkEncryption(parameters);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) checkFile(name, parameters.get(name));
  if (parameters.get('uselibpqcompat') === 'true') return url;
  return url.replace(new RegExp(`([?&]sslmode=)(${strictModes.join('|')})(?=&|$)`), '$1verify-full');
}

function checkEncryption(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (![...modes, ...strictModes].includes(mode)) throw new Error(`sslmode=${mode} is not one of ${modes.join(', ')}`);
  const ssl = parameters.get('ssl') ?? 'true';
  if (!['true', '1', '0'].includes(ssl)) throw new Error(`ssl=${ssl} is not known; use sslmode=${modes.join(' or ')}`);
}

function checkFile(name: string, file: string | null): void {
  try {
    if (file !== null) accessSync(file, constants.R_OK);
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
