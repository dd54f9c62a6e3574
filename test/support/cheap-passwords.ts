/**
 * Hashes passwords with little work in this process: what is asked for takes a tenth of a second of a core each time, and many tests
 * sign somebody in. How much work is asked for is looked at in `test/auth/account-existence.test.ts`.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;

// The files of tests that run in one process share what this replaces.
if (!('isCheap' in scrypt)) {
  const cheap = (...[password, salt, length, options, done]: Parameters<typeof scrypt>): void => {
    scrypt(password, salt, length, { ...options, N: 16 }, done);
  };
  Object.assign(crypto, { scrypt: Object.assign(cheap, { isCheap: true }) });
  syncBuiltinESMExports();
}
