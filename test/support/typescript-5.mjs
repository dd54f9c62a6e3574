/**
 * Gives a tool TypeScript 5, whose JavaScript API it reads or prints code with: TypeScript 7 has none any more. The package is the
 * compiler as it is published, without the commands, which would take the place of those of TypeScript 7.
 */
import { register } from 'node:module';

const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? '@tsd/typescript' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`, import.meta.url);
