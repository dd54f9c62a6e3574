/** A way to PostgreSQL for the listening connection alone, which can be cut for good. */
import { CuttingProxy } from '../../support/network/cutting-proxy.js';

export class CutListener {
  private constructor(
    readonly url: string,
    readonly cut: () => Promise<void>,
  ) {}

  static async start(databaseUrl: string): Promise<CutListener> {
    const target = new URL(databaseUrl);
    const host = target.searchParams.get('host') ?? target.hostname;
    const port = Number(target.port || 5432);
    const proxy = await CuttingProxy.start(
      host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    );
    target.searchParams.delete('host');
    target.hostname = '127.0.0.1';
    target.port = String(proxy.port);
    let isCut = false;
    return new CutListener(target.href, async () => {
      if (isCut) return;
      isCut = true;
      await proxy.close();
    });
  }

  close(): Promise<void> {
    return this.cut();
  }
}
