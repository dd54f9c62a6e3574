/** The build of the web application in a folder of its own, where a test can replace it as an upgrade does. */
import { cp, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

export class UpgradedBuild {
  #upgrades = 0;

  private constructor(readonly folder: string) {}

  static async copy(): Promise<UpgradedBuild> {
    const folder = await mkdtemp(join(inject('testScratch'), 'web-'));
    await cp('dist/web', folder, { recursive: true });
    return new UpgradedBuild(folder);
  }

  /** Gives each file with a hash in its name another one, as if all of them had changed. The old names are gone. */
  async upgrade(): Promise<void> {
    this.#upgrades += 1;
    const assets = join(this.folder, 'assets');
    const compressed = (await readdir(assets)).filter((name) => /\.(br|gz)$/.test(name));
    for (const name of [...compressed.map((each) => `assets/${each}`), 'index.html.br', 'index.html.gz']) {
      await rm(join(this.folder, name), { force: true });
    }
    const names = await readdir(assets);
    const anyName = new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
    for (const name of [...names.map((each) => `assets/${each}`), 'index.html']) {
      if (name.endsWith('.woff2')) continue;
      const content = await readFile(join(this.folder, name), 'utf8');
      await writeFile(join(this.folder, name), content.replace(anyName, 'new-$&'));
    }
    for (const name of names) await rename(join(assets, name), join(assets, `new-${name}`));
    // The service reads the files again when this one has another time.
    const at = new Date(Date.now() + this.#upgrades * 1000);
    await utimes(join(this.folder, '.made'), at, at);
  }
}
