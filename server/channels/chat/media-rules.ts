import type { LinkedMedia } from '../../carriers/chat-platform/messages.ts';
import { Refusal } from '../../errors.ts';
import { type MediaCheck, type MediaKind, UnfitMedia, type WantedMedia } from '../../http/media-check.ts';
import type { MediaCheck as CheckTemplateMedia } from './fill.ts';

/* What links of messages may lead to, by the kind of message (interface, A2, A4 and A5); sizes are media-check's. */

/** Of a template's header. `3gp` and `pptx` are what files of the types that the interface calls `3gpp`, `ppts` are named. */
const templateMedia = {
  image: ['png', 'jpg', 'gif', 'jpeg'],
  video: ['mp4', 'avi', '3gpp', '3gp'],
  document: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'ppts', 'pptx', 'zip', 'txt', 'rar'],
} as const;

/** Of a header above buttons. */
export const buttonMedia = { image: ['jpg', 'jpeg', 'png'], video: ['mp4'], document: ['pdf'] } as const;

/** Of a card: what the platform shows on one. */
export const cardMedia: WantedMedia = {
  extensions: { image: ['jpg', 'jpeg', 'png'], video: ['mp4', '3gpp', '3gp'] },
};

/** Looks at the link for a template's media header, for ChatSender and campaigns. */
export function templateMediaCheck(media: MediaCheck): CheckTemplateMedia {
  return async (kind: LinkedMedia['kind'], link: string) => {
    await checkedMedia(media, link, { extensions: { [kind]: templateMedia[kind] } }, 'headerLink');
  };
}

/**
 * The kind of what a link leads to. Throws Refusal `bad-header` or `bad-header-type` for the field at `path`; what the link
 * cannot be used for is the reason.
 */
export async function checkedMedia(
  media: MediaCheck,
  link: string,
  wanted: WantedMedia,
  path: string,
): Promise<MediaKind> {
  try {
    return await media.check(link, wanted);
  } catch (error) {
    if (!(error instanceof UnfitMedia)) throw error;
    const { problem, message } = error;
    const detail = { reason: `media-${problem}` as const, params: {} };
    throw new Refusal(problem === 'type' ? 'bad-header-type' : 'bad-header', message, path, detail);
  }
}
