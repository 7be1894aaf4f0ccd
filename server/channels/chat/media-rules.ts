import { Refusal } from '../../kit/errors.ts';
import { type MediaCheck, type MediaKind, UnfitMedia, type WantedMedia } from '../../kit/http/media-check.ts';
import type { LinkedMedia } from '../../protocols/chat-platform/messages.ts';
import type { MediaCheck as CheckTemplateMedia } from './fill.ts';

/*
 * Permitted targets of links in messages, by the kind of message (interface, A2, A4 and A5); media-check has the sizes.
 */

/**
 * For a template's header. `3gp` and `pptx` are the usual extensions of the types that the interface calls `3gpp` and
 * `ppts`.
 */
const templateMedia = {
  image: ['png', 'jpg', 'gif', 'jpeg'],
  video: ['mp4', 'avi', '3gpp', '3gp'],
  document: ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'ppts', 'pptx', 'zip', 'txt', 'rar'],
} as const;

/** For a header above buttons. */
export const buttonMedia = { image: ['jpg', 'jpeg', 'png'], video: ['mp4'], document: ['pdf'] } as const;

/** For a card: the types that the platform shows on one. */
export const cardMedia: WantedMedia = {
  extensions: { image: ['jpg', 'jpeg', 'png'], video: ['mp4', '3gpp', '3gp'] },
};

/** Returns the check of a template's media header, for ChatSender and campaigns. */
export function templateMediaCheck(media: MediaCheck): CheckTemplateMedia {
  return async (kind: LinkedMedia['kind'], link: string) => {
    await checkedMedia(media, link, { extensions: { [kind]: templateMedia[kind] } }, 'headerLink');
  };
}

/**
 * Returns the kind of the file behind a link. Throws Refusal `bad-header` or `bad-header-type` for the field at `path`,
 * with the problem as its reason.
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
