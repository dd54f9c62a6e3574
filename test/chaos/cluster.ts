/**
 * Several processes of the built program on one PostgreSQL, each reached over a proxy of its own, so that processes can be
 * killed and frozen, the database crashed, and connections cut or silenced, one at a time.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterDirectory } from '../../src/database/embedded/data-directory.js';
import { runningPostmaster } from '../../src/database/embedded/process/postmaster-pid.js';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/database/embedded/server.js';
import { copySchemaCluster } from '../support/database/schema-cluster.js';
import { FaultyProxy } from '../support/network/faulty-proxy.js';
import { runSql } from '../support/server.js';
import { logger } from '../support/silent-logger.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Node, type Role } from './node.js';

export interface ClusterOptions {
  roles: readonly Role[];
  modelUrl: string;
  /** Further variables of every node. */
  environment?: Record<string, string>;
  /** Another build that the nodes run at first. It finds a database without tables, and migrates it. */
  program?: string | undefined;
}

export class Cluster {
  private constructor(
    readonly nodes: readonly Node[],
    readonly server: EmbeddedServer,
    private readonly dataDir: string,
  ) {}

  static async start({ roles, modelUrl, environment = {}, program }: ClusterOptions): Promise<Cluster> {
    // Under this name, the next run of the tests removes what a killed one has left behind.
    const dataDir = join(await temporaryFolder(), `skein-dir-cluster-${process.pid}-${Date.now()}`);
    await copySchemaCluster(dataDir);
    const server = await startEmbeddedServer({ dataDir, logger, maxConnections: 200 });
    if (program) await runSql(server.url, 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public');
    const made: Node[] = [];
    for (const role of roles) {
      const { proxy, url } = await FaultyProxy.before(server.url);
      const model = { AI_MODEL: 'compatible:scripted', AI_BASE_URL: modelUrl };
      // Its clients know at once which nodes are ending.
      const settings = { DATABASE_URL: url, DRAIN_SECONDS: '0', ...model, ...environment };
      made.push(new Node({ number: made.length + 1, role, proxy, environment: settings, program }));
    }
    const cluster = new Cluster(made, server, dataDir);
    const starts = await Promise.allSettled(made.map((node) => node.start()));
    const failed = starts.find((start) => start.status === 'rejected');
    if (!failed) return cluster;
    await cluster.stop();
    throw failed.reason;
  }

  /** The addresses at which REST can be reached now. */
  get urls(): string[] {
    return this.nodes.flatMap(({ role, url }) => (url && role !== 'worker' ? [url] : []));
  }

  /** Ends PostgreSQL as a power cut of its process would; its supervisor starts it again. */
  async crashDatabase(): Promise<void> {
    const running = await runningPostmaster(clusterDirectory(this.dataDir));
    if (running) process.kill(running.pid, 'SIGQUIT');
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.end('SIGKILL')));
    for (const node of this.nodes) await node.proxy.close();
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
