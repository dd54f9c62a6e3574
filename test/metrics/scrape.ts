/** The metrics of a service, as Prometheus reads them. */
export interface Scrape {
  text: string;
  /** The sum of all values of a metric whose labels contain these; 0 if there is none. */
  sum(name: string, labels?: Record<string, string>): number;
}

interface Line {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`GET /metrics → ${response.status}`);
  const text = await response.text();
  const lines = text.split('\n').flatMap((line) => parse(line) ?? []);
  return {
    text,
    sum: (wanted, labels = {}) =>
      lines
        .filter((line) => line.name === wanted && hasAll(line.labels, labels))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function hasAll(labels: Record<string, string>, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

function parse(line: string): Line | null {
  const [, name = '', inner = '', value = ''] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '') return null;
  const labels = Object.fromEntries([...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]));
  return { name, labels, value: Number(value) };
}
