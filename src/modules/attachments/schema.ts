/** Attachments in the graph: announcing one, and those of a message. Their bytes come and go over HTTP, at their URL. */
import { builder, ErrorInterface } from '../../builder.js';
import { AttachmentQuotaError, InvalidInputError } from '../../errors.js';
import { attachmentUrl } from '../links.js';
import { Message } from '../messages/schema.js';
import { announceAttachment, quota, uploadMinutes } from './announce.js';
import { maximumAttachments } from './claim.js';
import { maximumSize, mediaTypeNames } from './media-types.js';

const Attachment = builder.prismaObject('Attachment', {
  description: 'An image or a document.',
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Named by `attachmentId` of the blocks of a message.' }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
    mediaType: t.exposeString('mediaType', { description: 'What it is, for example `image/png`.' }),
    size: t.exposeInt('size', { description: 'Bytes.' }),
    isUploaded: t.boolean({
      description: 'True once its content is there, and it can be sent.',
      select: { uploadedAt: true },
      resolve: ({ uploadedAt }) => uploadedAt !== null,
    }),
    url: t.string({
      description:
        'Where to GET the content, with the same token: for those who see its thread; before it is sent, for you.',
      resolve: ({ id }, _args, { publicUrl }) => attachmentUrl(publicUrl, id),
    }),
  }),
});

builder.prismaObjectField(Message, 'attachments', (t) =>
  t.relation('attachments', {
    type: Attachment,
    description: 'The attachments that its blocks name.',
    query: { orderBy: { id: 'asc' } },
    extensions: { maximumItems: maximumAttachments },
  }),
);

builder.objectType(AttachmentQuotaError, {
  name: 'AttachmentQuotaError',
  description:
    'You have too many attachments that were not sent: send them, or wait, for they go after a day. Or those that you or your organization have stored take up all the room for them: ask the operator.',
  interfaces: [ErrorInterface],
});

const AttachmentUpload = builder.objectRef<{ id: string }>('AttachmentUpload').implement({
  description: 'What to do next: PUT the content, then send a message with the id of the attachment.',
  fields: (t) => ({
    attachment: t.prismaField({
      type: Attachment,
      description: 'The attachment, still without content.',
      resolve: (query, { id }, _args, { database }) =>
        database.attachment.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    uploadUrl: t.string({
      description: `Where to PUT the content, once and within ${uploadMinutes} minutes, with the same token, the announced type as \`Content-Type\`, and exactly the announced bytes as body.`,
      resolve: ({ id }, _args, { publicUrl }) => attachmentUrl(publicUrl, id),
    }),
  }),
});

const UploadAttachmentInput = builder.inputType('UploadAttachmentInput', {
  description: 'A file to attach to a message.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the file, without its path, at most 255 characters.' }),
    mediaType: t.string({ required: true, description: `One of ${mediaTypeNames.join(', ')}.` }),
    size: t.int({ required: true, description: `Bytes, at most ${maximumSize}.` }),
  }),
});

builder.mutationField('uploadAttachment', (t) =>
  t.field({
    type: AttachmentUpload,
    description: `Announces a file, and says where to PUT it. What is not sent is removed after a day; until then you may have ${quota.attachments} of them with ${quota.bytes} bytes.`,
    authScopes: { scope: 'threads:write' },
    errors: { types: [InvalidInputError, AttachmentQuotaError] },
    args: { input: t.arg({ type: UploadAttachmentInput, required: true, description: 'The file.' }) },
    resolve: async (_root, { input }, context) => ({ id: await announceAttachment(context, input) }),
  }),
);
