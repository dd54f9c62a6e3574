/** Finds the binaries of a package under the account of this process: `find-binaries.ts PACKAGE_DIR DATA_DIR`. */
import { findBinaries } from '../../../src/database/embedded/binaries.js';
import { becomeNamedAccount } from './run-as.js';

const [packageDir = '', dataDir = ''] = process.argv.slice(2);
becomeNamedAccount();
const binaries = await findBinaries({ packageDir, dataDir, account: undefined });
process.stdout.write(`${JSON.stringify(binaries)}\n`);
