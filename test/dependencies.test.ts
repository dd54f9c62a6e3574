/** What package.json and package-lock.json promise: exact versions, one of Prisma, nothing that cannot be explained. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Overrides = { [name: string]: string | Overrides };

interface Package {
  '//overrides': Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  overrides: Overrides;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version?: string; resolved?: string; link?: boolean }>;
};
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Package;
const direct = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };

/** Each override by its path, as its reason names it. */
function pathsOf(overrides: Overrides): string[] {
  return Object.entries(overrides).flatMap(([name, value]) =>
    typeof value === 'string' ? [name] : pathsOf(value).map((path) => `${name} > ${path}`),
  );
}

describe('package.json', () => {
  it('names exact versions', () => {
    const inexact = Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(inexact).toEqual([]);
  });

  it('has a reason beside each override, and an override beside each reason', () => {
    expect(Object.keys(manifest['//overrides']).toSorted()).toEqual(pathsOf(manifest.overrides).toSorted());
  });

  it('replaces no package by another one', () => {
    expect(JSON.stringify([direct, manifest.overrides])).not.toMatch(/"(npm|file):/);
  });
});

describe('package-lock.json', () => {
  it('has one version of Prisma', () => {
    const packagesOfPrisma = ['client', 'client-generator-ts', 'internals', 'adapter-pg', 'driver-adapter-utils'];
    const versions = packagesOfPrisma.map((name) => packages[`node_modules/@prisma/${name}`]?.version);
    expect(new Set(versions).size).toBe(1);
    const engine = packages['node_modules/@prisma/schema-engine-wasm']?.version ?? '';
    expect(engine.split('-')[0]).toBe(versions[0]);
  });

  it('names no registry, so that packages come from the one that is configured', () => {
    const resolved = Object.entries(packages).filter(([, entry]) => entry.resolved && !entry.link);
    expect(resolved).toEqual([]);
  });
});
