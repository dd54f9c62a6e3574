/** HTTP headers of the form of OpenTelemetry's variables, `name=value,name=value`. They hold secrets, so no message repeats them. */
export function readHeaders(text: string): Record<string, string> {
  const headers = readPairs(text, 'api-key=secret');
  for (const [name, value] of Object.entries(headers)) {
    const isHeader = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    if (!isHeader) throw new Error('not a list of HTTP headers such as "api-key=secret"');
  }
  return headers;
}

/** A list `key=value,key=value`, whose values are percent-encoded. */
export function readPairs(text: string, example: string): Record<string, string> {
  const problem = `not a list such as "${example}"; write a comma or "%" within a value as "%2C" or "%25"`;
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      if (key === '') throw new Error(problem);
      try {
        return [decodeURIComponent(key), decodeURIComponent(value)];
      } catch {
        throw new Error(problem);
      }
    }),
  );
}
