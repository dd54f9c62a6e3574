/** What the client by orval sends its requests with: it knows where the service is, and that what is not JSON has no body. */

let baseUrl = '';

export function setBaseUrl(url: string): void {
  baseUrl = url;
}

export function open(path: string, init: RequestInit): Promise<Response> {
  return fetch(`${baseUrl}${path}`, init);
}

/** The generated types say which data comes with which status. */
export async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await open(path, init);
  const { status, headers } = response;
  const data: unknown = status === 204 ? undefined : await response.json();
  return { data, status, headers } as Answer;
}
