import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DatabaseConnectionError, explainConnection } from '../../src/database/connection-error.js';

const client = new pg.Client('postgresql://ada:hunter2@db.example:5433/skein');

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('a database that cannot be connected to', () => {
  it.each([
    [
      'ECONNREFUSED',
      'The database cannot be reached at db.example, port 5433. Check that it is running and that DATABASE_URL is correct.',
    ],
    [
      'ETIMEDOUT',
      'The database cannot be reached at db.example, port 5433. Check that it is running and that DATABASE_URL is correct.',
    ],
    [
      '53300',
      'The database takes no more connections: as the driver says. Allow more there, at least 30 for each process of Skein, or set DATABASE_CONNECTIONS to less.',
    ],
    ['57P03', 'The database does not take connections yet: as the driver says. Start Skein again when it does.'],
    ['28P01', 'The database rejects the user ada or the password in DATABASE_URL.'],
    ['28000', 'The user in DATABASE_URL has no access to the database "skein".'],
    ['3D000', 'The database server has no database "skein". Create it, or correct DATABASE_URL.'],
    ...['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_OSSL_PEM_NO_START_LINE'].map((code) => [
      code,
      "The connection to the database could not be encrypted: as the driver says. Add sslrootcert=FILE to DATABASE_URL, with the certificate of the server's authority, or sslmode=no-verify to encrypt without checking the server.",
    ]),
  ] as [string, string][])('is explained without its password: %s', (code, message) => {
    const cause = failure('as the driver says', code);
    const explained = explainConnection(cause, client);
    expect(explained).toBeInstanceOf(DatabaseConnectionError);
    expect(explained).toMatchObject({ message, cause });
  });

  it('is explained if the server has no TLS, which the driver reports without a code', () => {
    const explained = explainConnection(failure('The server does not support SSL connections'), client);
    expect(explained).toMatchObject({
      name: 'DatabaseConnectionError',
      message: expect.stringMatching(/could not be encrypted: .* set sslmode=disable/),
    });
  });

  it.for([
    ['Connection terminated unexpectedly', /cannot be reached at db.example, port 5433/],
    ['timeout expired', /cannot be reached at db.example, port 5433/],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /user ada .* DATABASE_URL has none/],
  ] as const)('is explained where the driver has no code: %s', ([said, message]) => {
    expect(explainConnection(failure(said), client)).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('keeps the error of the driver if its cause is unknown', () => {
    const unknown = failure('something else', 'XX000');
    expect(explainConnection(unknown, client)).toBe(unknown);
  });
});
