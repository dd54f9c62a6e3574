/** Attaching files as a client does: announce, PUT, send. */
import { type Data, GraphQLClient } from '../../support/clients/graphql-client.js';
import type { Person } from '../../support/service.js';

export interface File {
  name: string;
  mediaType: string;
  content: Uint8Array<ArrayBuffer>;
}

/** The smallest image: one pixel. */
export const pixel: File = {
  name: 'pixel.png',
  mediaType: 'image/png',
  content: new Uint8Array(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ),
};

export function textFile(text: string, name = 'tea.txt'): File {
  return { name, mediaType: 'text/plain', content: new Uint8Array(Buffer.from(text)) };
}

const upload = `mutation ($input: UploadAttachmentInput!) { uploadAttachment(input: $input) {
  __typename
  ... on AttachmentUpload { uploadUrl attachment { id name mediaType size isUploaded url } }
  ... on Error { code message }
  ... on InvalidInputError { problems { field message } }
} }`;

export type Announced = Data<typeof upload>['uploadAttachment'];

/** What `uploadAttachment` says to an announcement. */
export async function announce(
  service: { url: string },
  { token }: Pick<Person, 'token'>,
  input: { name: string; mediaType: string; size: number },
): Promise<Announced> {
  const graphql = new GraphQLClient({ origin: service.url, token });
  const { uploadAttachment } = await graphql.data(upload, { input });
  return uploadAttachment;
}

/** The id of an announced file; throws for a refusal. */
export async function announceFile(
  service: { url: string },
  person: Pick<Person, 'token'>,
  file: File,
): Promise<string> {
  const { name, mediaType, content } = file;
  const { attachment, ...refusal } = await announce(service, person, { name, mediaType, size: content.length });
  if (!attachment) throw new Error(`uploadAttachment → ${JSON.stringify(refusal)}`);
  return attachment.id;
}

/** A request to the URL of an attachment, on any node. */
export function fetchAttachment(
  { url }: { url: string },
  { token }: Pick<Person, 'token'>,
  { id, ...init }: RequestInit & { id: string },
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return fetch(`${url}/attachments/${id}`, { ...init, headers });
}

export function put(
  service: { url: string },
  person: Pick<Person, 'token'>,
  { id, mediaType, content }: { id: string; mediaType: string; content: Uint8Array<ArrayBuffer> },
): Promise<Response> {
  return fetchAttachment(service, person, { id, method: 'PUT', headers: { 'content-type': mediaType }, body: content });
}

/** The id of an uploaded file; throws where the upload is refused. */
export async function uploadFile(service: { url: string }, person: Pick<Person, 'token'>, file: File): Promise<string> {
  const id = await announceFile(service, person, file);
  const response = await put(service, person, { id, ...file });
  if (response.status !== 204) throw new Error(`PUT → ${response.status} ${await response.text()}`);
  return id;
}

const posted =
  '__typename ... on PostedMessage { threadId messageId } ... on InvalidInputError { problems { field message } }';
const create = `mutation ($input: CreateThreadInput!) { createThread(input: $input) { ${posted} } }`;
const send = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { ${posted} } }`;

export type PostOutcome = Data<typeof create>['createThread'] | Data<typeof send>['sendMessage'];

/** What `createThread` says. */
export async function createThreadWith(
  service: { url: string },
  { token }: Pick<Person, 'token'>,
  input: { text: string; attachmentIds: string[]; isPrivate?: boolean; idempotencyKey?: string },
): Promise<PostOutcome> {
  const graphql = new GraphQLClient({ origin: service.url, token });
  const { createThread } = await graphql.data(create, { input });
  return createThread;
}

/** What `sendMessage` says. */
export async function sendWith(
  service: { url: string },
  { token }: Pick<Person, 'token'>,
  input: { threadId: string; text: string; attachmentIds: string[]; onBusy?: 'REJECT' | 'INTERRUPT' },
): Promise<PostOutcome> {
  const graphql = new GraphQLClient({ origin: service.url, token });
  const { sendMessage } = await graphql.data(send, { input });
  return sendMessage;
}
