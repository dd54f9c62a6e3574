import pg from 'pg';
import { ProtocolWorld } from '../protocol-world.js';
import { Lane } from './lane.js';

/** A world whose statements run in lanes, and the connection that sees who waits. */
export class LaneStage {
  private constructor(
    readonly world: ProtocolWorld,
    readonly monitor: pg.Client,
    readonly lanes: [Lane, Lane, Lane, Lane],
  ) {}

  static async open(): Promise<LaneStage> {
    const world = await ProtocolWorld.open();
    const monitor = new pg.Client({ connectionString: world.storage.url });
    await monitor.connect();
    const open = () => Lane.open(world.storage.url, { monitor, committed: world.database });
    return new LaneStage(world, monitor, await Promise.all([open(), open(), open(), open()]));
  }

  /** Rolls back what is open, and removes all threads. */
  async clear(): Promise<void> {
    await Lane.endAll(this.lanes, 'rollback');
    await this.world.removeThreads();
  }

  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
    await this.monitor.end();
    await this.world.close();
  }
}
