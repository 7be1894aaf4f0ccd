import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { answers, dailyWork, reads, readsConversations } from '../../api/access/rules.ts';
import { iso, out } from '../../api/openapi/out.ts';
import { answered } from '../../api/openapi/shown.ts';
import { sensitive } from '../../api/v1/field-rights.ts';
import { field, found, idOf, oneOf, queryText } from '../../api/v1/kit/fields.ts';
import { announcedSize } from '../../api/v1/kit/files.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { serializer } from '../../api/v1/kit/serializer.ts';
import { Refusal } from '../../kit/errors.ts';
import { byteRangeOf } from '../../kit/http/byte-range.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { CoreContext } from '../../run/services.ts';
import { type MediaFile, mediaState, stateNames } from './rows.ts';
import { isShown, mediaKinds } from './rules.ts';

const DAY_MS = 86_400_000;
const MAX_FILE_NAME = 240;

const mediaAnswer = z.object({
  id: out.id('Id of the file, `media_id` of messages.', '1774337460000002'),
  kind: out.oneOf(mediaKinds, 'Kind of message in which it is sent.', 'image'),
  state: out.oneOf(
    stateNames,
    '`pending`: it is being fetched from the platform; `stored`; `failed`: it could not be fetched.',
    'stored',
  ),
  mime_type: out.text(
    'Media type: detected from the content once stored, before that as reported by the platform.',
    'image/jpeg',
  ),
  file_name: sensitive(out.text('Name of the file; empty without one.', 'order.jpg'), 'conversation-text'),
  size: out.maybeCount('Size in bytes; null while unknown.', 48_213),
  sha256: sensitive(
    out.maybeText(
      'SHA-256 in hexadecimal; null while unknown.',
      '5aad2391d61f183c52999f52ded1a3221d09d16a7c9f6c778149f436ad6e65ba',
    ),
    'conversation-text',
  ),
  shown: out.flag('Whether a browser can display or play it; other files are offered for download.', true),
  problem: answered(
    z.enum(['too-large', 'wrong-type', 'damaged', 'gone', 'not-fetched', 'over-budget']).nullable(),
    'Reason of the failure, or of the last failed attempt of a pending file: `too-large`, `wrong-type` (its content is of another kind), `damaged`, `gone` (deleted on the platform), `not-fetched`, `over-budget` (the budget `files` has no room; the service retries for up to 7 days).',
    null,
  ),
  created_at: out.time('Time of arrival or upload'),
  expires_at: out.time('Time of deletion'),
});

const show = serializer(mediaAnswer, (file: MediaFile & { readonly keepDays: number }) => ({
  state: stateNames[file.state as 0 | 1 | 2],
  mime_type: file.mimeType,
  file_name: file.fileName,
  sha256: file.sha256 === '' ? null : file.sha256,
  shown: file.state === mediaState.stored && isShown(file.kind, file.mimeType),
  problem: file.problem === '' ? null : file.problem,
  created_at: iso(timeOfId(file.id)),
  expires_at: iso(timeOfId(file.id) + file.keepDays * DAY_MS),
}));

type MediaDeps = Pick<CoreContext, 'media' | 'config' | 'gate'>;

const shownWith = ({ config }: Pick<MediaDeps, 'config'>, file: MediaFile) =>
  show({ ...file, keepDays: config.MEDIA_KEEP_DAYS });

const uploadQuery = z.object({
  kind: field(
    oneOf(mediaKinds),
    'Kind of message: `image` (JPEG, PNG; 5 MiB), `video` (MP4, 3GPP; 16 MiB), `audio` (AAC, AMR, MP3, M4A, OGG with Opus; 16 MiB), `document` (PDF, Word, Excel, PowerPoint, text; 100 MiB), `sticker` (WebP; 500 KiB).',
    'document',
  ),
  file_name: field(
    queryText(MAX_FILE_NAME).default(''),
    'File name, shown to clients for documents.',
    'hours.txt',
  ),
});

const route = resource<MediaDeps>('chat');

/** Files of chat messages. */
export const mediaRoutes = [
  route('POST /v1/media', {
    access: dailyWork(answers),
    operationId: 'uploadMedia',
    title: 'Upload a file',
    description:
      'Stores the file in the request body for sending by chat. Its type is detected from the content. It is kept as long as files of clients, and counts in the budget `files`. A request without `Content-Length` needs room for the largest file of its kind.',
    refusals: ['not-now', 'over-budget'],
    query: uploadQuery,
    file: {
      mediaType: 'application/octet-stream',
      description: 'Content of the file.',
      example: 'Open from 8:00 to 17:00',
    },
    answer: mediaAnswer,
    handler: async ({ accountId, query: { kind, file_name: fileName }, file, request, audit }, deps) => {
      await deps.gate.check(accountId);
      const size = announcedSize(request);
      const stored = await deps.media.upload(accountId, { kind, fileName, size, content: file });
      audit({ kind: 'media', id: stored.id, after: { kind, bytes: stored.size } });
      return shownWith(deps, stored);
    },
  }),
  route('GET /v1/media/:id', {
    access: readsConversations,
    operationId: 'getMedia',
    title: 'Show file details',
    description: 'Returns the details of a file from a client or an upload.',
    id: idOf('file'),
    answer: mediaAnswer,
    handler: async ({ accountId, id }, deps) =>
      shownWith(deps, found(await deps.media.find(accountId, id), 'file')),
  }),
  route('GET /v1/media/:id/file', {
    // What a client wrote, as texts of messages.
    access: reads('agent', 'read'),
    operationId: 'downloadMedia',
    title: 'Download a file',
    description:
      'Returns the file itself. Images, audio and video have their own media type and can be displayed inline; other files are returned as `application/octet-stream` for download. Supports `Range`, and `If-None-Match` with the `ETag`.',
    refusals: ['not-now'],
    id: idOf('file'),
    answer: { binary: 'application/octet-stream' },
    handler: async ({ accountId, id, request, reply }, { media }) => {
      const file = found(await media.find(accountId, id), 'file');
      if (file.state !== mediaState.stored) {
        throw file.state === mediaState.pending
          ? new Refusal('not-now', 'the file is not fetched yet', undefined, { reason: 'file-not-ready' })
          : new Refusal('not-now', 'the file could not be fetched', undefined, {
              reason: 'file-not-fetched',
            });
      }
      const { range, 'if-none-match': known } = request.headers;
      const size = file.size!;
      reply.headers(headersOf(file));
      if (known === etagOf(file)) return reply.code(304).send();
      const part = byteRangeOf(range, size);
      if (part === null) return reply.code(416).header('content-range', `bytes */${size}`).send();
      const content = found(await media.read(file, part), 'file');
      if (part) reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
      return sendStream(reply, content, part ? part.last - part.first + 1 : size);
    },
  }),
];

const etagOf = ({ sha256 }: MediaFile) => `"${sha256}"`;

function headersOf(file: MediaFile): Record<string, string> {
  const { kind, mimeType, fileName } = file;
  const isInline = isShown(kind, mimeType);
  const name = fileName === '' ? '' : `; filename*=UTF-8''${encodeName(fileName)}`;
  return {
    'content-type': isInline ? mimeType : 'application/octet-stream',
    'content-disposition': `${isInline ? 'inline' : 'attachment'}${name}`,
    // The file never changes, but the right to read it is checked each time.
    'cache-control': 'private, no-cache',
    // Nothing in the file is executed.
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag: etagOf(file),
  };
}

/** Encodes a file name for RFC 8187. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

/**
 * Sends a file from a store. If the store breaks off, cuts the connection, so that the client does not consider the
 * file complete.
 */
function sendStream(reply: FastifyReply, content: NodeJS.ReadableStream, length: number): FastifyReply {
  const through = new PassThrough();
  pipeline(content, through).catch(() => {});
  return reply.header('content-length', length).send(through);
}
