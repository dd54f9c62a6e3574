/** Attachments in the GraphQL schema. Their content is transferred over HTTP, at their URLs. */
import { builder, ErrorInterface } from '../../builder.js';
import { maximumAttachments, statedLimit } from '../../contract.js';
import { AttachmentQuotaError, InvalidInputError } from '../../errors.js';
import { attachmentUrl } from '../links.js';
import { Message } from '../messages/schema.js';
import { announceAttachment, quota, uploadMinutes } from './announce.js';
import { maximumSize, mediaTypeNames } from './media-types.js';

const Attachment = builder.prismaObject('Attachment', {
  description: 'An image or document that a message carries.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Id of the attachment. The blocks of a message refer to it as `attachmentId`.',
    }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
    mediaType: t.exposeString('mediaType', { description: 'Media type, for example `image/png`.' }),
    size: t.exposeInt('size', { description: 'Size of the content in bytes.' }),
    isUploaded: t.boolean({
      description: 'Whether the content has been uploaded, so that the attachment can be sent.',
      select: { uploadedAt: true },
      resolve: ({ uploadedAt }) => uploadedAt !== null,
    }),
    url: t.string({
      description:
        'URL of the content, for GET with the same token. Whoever can see the thread can read it; until it is sent, only you can.',
      resolve: ({ id }, _args, { publicUrl }) => attachmentUrl(publicUrl, id),
    }),
  }),
});

builder.prismaObjectField(Message, 'attachments', (t) =>
  t.relation('attachments', {
    type: Attachment,
    description: 'The attachments that the blocks of the message refer to.',
    query: { orderBy: { id: 'asc' } },
    extensions: { maximumItems: maximumAttachments },
  }),
);

builder.objectType(AttachmentQuotaError, {
  name: 'AttachmentQuotaError',
  description:
    'A limit on attachments is reached: either you have too many unsent ones (send them, or wait: they are removed after a day), or the storage of you or your organization is full (ask the operator).',
  interfaces: [ErrorInterface],
});

const AttachmentUpload = builder.objectRef<{ id: string }>('AttachmentUpload').implement({
  description: 'The next steps of an upload: PUT the content, then send a message with the id of the attachment.',
  fields: (t) => ({
    attachment: t.prismaField({
      type: Attachment,
      description: 'The attachment, without its content so far.',
      resolve: (query, { id }, _args, { database }) =>
        database.attachment.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    uploadUrl: t.string({
      description: `URL for one PUT of the content, within ${uploadMinutes} minutes and with the same token. \`Content-Type\` is the announced media type, and the body has exactly the announced size.`,
      resolve: ({ id }, _args, { publicUrl }) => attachmentUrl(publicUrl, id),
    }),
  }),
});

const UploadAttachmentInput = builder.inputType('UploadAttachmentInput', {
  description: 'A file to attach to a message.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: `Name of the file without its path, ${statedLimit('name')}.`,
    }),
    mediaType: t.string({ required: true, description: `One of ${mediaTypeNames.join(', ')}.` }),
    size: t.int({ required: true, description: `Size of the content in bytes, at most ${maximumSize}.` }),
  }),
});

builder.mutationField('uploadAttachment', (t) =>
  t.field({
    type: AttachmentUpload,
    description: `Announces a file and returns the URL to upload its content to. Attachments that are not sent are removed after a day. You may have at most ${quota.attachments} unsent attachments with a total of ${quota.bytes / 2 ** 20} MiB.`,
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, AttachmentQuotaError] },
    args: { input: t.arg({ type: UploadAttachmentInput, required: true, description: 'The file.' }) },
    resolve: async (_root, { input }, context) => ({ id: await announceAttachment(context, input) }),
  }),
);
