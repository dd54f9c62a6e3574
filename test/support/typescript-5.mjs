/**
 * Gives a tool TypeScript 5, whose JavaScript API it reads or prints code with: TypeScript 7 has none any more. The package is the
 * compiler as it is published, without the commands, which would take the place of those of TypeScript 7.
 */
import Module, { register } from 'node:module';

const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? '@tsd/typescript' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url);

// The same for whoever asks by `require`: dependency-cruiser looks up the version so.
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) =>
  resolveFilename(name.replace(/^typescript(?=$|\/)/, '@tsd/typescript'), ...rest);
