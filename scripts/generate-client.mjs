/**
 * Runs the generators of `prisma/schema.prisma`, as `prisma generate` does: Prisma's command brings a hundred packages beside them,
 * for a database and a web application of its own. No engine is needed, so none is looked for.
 */
import { createRequire } from 'node:module';

// Their ES modules import files without an extension, which Node does not find.
const require = createRequire(import.meta.url);
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');
const { getGenerators, loadSchemaContext } = require('@prisma/internals');

const schemaContext = await loadSchemaContext({
  schemaPath: { cliProvidedPath: 'prisma/schema.prisma' },
  printLoadMessage: false,
});
const generators = await getGenerators({
  schemaContext,
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  skipDownload: true,
  cliCommand: 'generate',
});
for (const generator of generators) {
  try {
    await generator.generate();
  } finally {
    generator.stop();
  }
}
