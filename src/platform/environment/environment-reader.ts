export type Environment = Record<string, string | undefined>;

/** Reads single variables and collects their problems. An empty variable counts as not set. */
export class EnvironmentReader {
  readonly #environment: Environment;
  readonly problems: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  integer(name: string, fallback: number, bounds: { min: number; max: number; or?: string }): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    const { min, max, or = '' } = bounds;
    this.problems.push(`${name}: "${value}" is not a whole number from ${min} to ${max}${or}`);
    return fallback;
  }

  /** A rate; null for `off` and `0`, which mean no limit. */
  rate(name: string, fallback: number): number | null {
    if (this.text(name) === 'off') return null;
    return this.integer(name, fallback, { min: 0, max: 999_999_999, or: ' or "off"' }) || null;
  }

  /** A secret. A short one is a problem, and its value is never repeated in a message. */
  secret(name: string, minimum: number): string | undefined {
    const value = this.text(name);
    if (value !== undefined && value.length < minimum) {
      this.problems.push(`${name}: use at least ${minimum} random characters, or leave it unset`);
    }
    return value;
  }

  choice<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name);
    const found = value === undefined ? fallback : values.find((candidate) => candidate === value);
    if (found === undefined) this.problems.push(`${name}: "${value}" is not one of ${values.join(', ')}`);
    return found ?? fallback;
  }

  /** A URL. Its value is never repeated in a message, because it may contain a password. */
  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    this.problems.push(`${name}: not a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return undefined;
  }

  /** An origin, normalized: lower case, without default port or trailing slash. */
  origin(name: string): string | undefined {
    const value = this.url(name, ['http:', 'https:']);
    if (value === undefined) return undefined;
    const { origin, pathname } = new URL(value);
    if (/^\/*$/.test(pathname) && !/[?#@]/.test(value)) return origin;
    this.problems.push(
      `${name}: must be an origin such as https://skein.example, without path, user name, password, "?" or "#"`,
    );
    return undefined;
  }

  /** Null if it is not set. */
  parsed<T>(name: string, parse: (value: string) => T): T | null {
    const value = this.text(name);
    let result: T | null = null;
    if (value !== undefined) {
      this.check(name, () => {
        result = parse(value);
      });
    }
    return result;
  }

  check(name: string, parse: () => unknown): void {
    try {
      parse();
    } catch (error) {
      this.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
