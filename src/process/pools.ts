/** The connections to the database as metrics, by what they are for. */
import type { MetricSource } from '../routes/operator.js';

/** What a pool tells about itself. */
export interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { max: number };
}

export type PoolName = 'requests' | 'leases';

export class Pools {
  readonly #pools = new Map<PoolName, Pool>();

  add(name: PoolName, pool: Pool): void {
    this.#pools.set(name, pool);
  }

  get metricSources(): MetricSource[] {
    return [
      {
        name: 'skein_database_connections_used',
        help: 'Connections to the database that execute something, by pool.',
        ...this.#reading(({ totalCount, idleCount }) => totalCount - idleCount),
      },
      {
        name: 'skein_database_connections_maximum',
        help: 'Connections that a pool may open.',
        ...this.#reading(({ options }) => options.max),
      },
      {
        name: 'skein_database_waiting',
        help: 'Statements that wait for a connection, by pool.',
        // While a connection is free, a statement is handed over in the same round of the event loop.
        ...this.#reading(({ waitingCount, totalCount, idleCount, options }) =>
          Math.max(0, waitingCount - (options.max - (totalCount - idleCount))),
        ),
      },
    ];
  }

  #reading(measure: (pool: Pool) => number): Pick<MetricSource, 'label' | 'read'> {
    const read = () => new Map([...this.#pools].map(([name, pool]) => [name, measure(pool)]));
    return { label: 'pool', read };
  }
}
