import { linksIn, parseMail } from './mail-links.ts';

type CheckName = 'size' | 'text' | 'words' | 'descriptions' | 'secure' | 'links' | 'removed';

/** Result of a check. `found` is what the texts name: kilobytes, a number of images or links, or elements. */
export interface MailCheck {
  readonly check: CheckName;
  readonly isGood: boolean;
  readonly found: number | string;
}

/** Gmail shows the first 102 kB of an email, and a link to the rest. */
const MAX_KILOBYTES = 102;
/** Emails with images and fewer words are typical of spam. */
const FEW_WORDS = 20;
/** Elements that email programs remove, or whose content they do not show. */
const REMOVED = 'script, form, input, select, textarea, iframe, object, embed, video, audio, svg';

/** Texts between the elements: `textContent` joins the last word of one with the first of the next. */
function textsOf(parsed: Document): string[] {
  const texts: string[] = [];
  const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? '');
  return texts;
}

/** Checks an email for what email programs and spam filters object to. Sends no request. */
export function checkMail(html: string, text: string | null): readonly MailCheck[] {
  const parsed = parseMail(html);
  const kilobytes = Math.ceil(new TextEncoder().encode(html).length / 1_024);
  const words = textsOf(parsed).flatMap((part) => part.split(/\s+/).filter(Boolean)).length;
  // A pixel that counts opened emails is no image for readers.
  const images = [...parsed.querySelectorAll('img')].filter((image) => image.getAttribute('width') !== '1');
  const undescribed = images.filter((image) => !image.alt.trim()).length;
  const insecure = images.filter((image) => /^http:/i.test(image.getAttribute('src') ?? '')).length;
  const broken = linksIn(parsed).filter(({ state }) => state === 'nowhere' || state === 'unknown').length;
  const removed = new Set([...parsed.querySelectorAll(REMOVED)].map(({ localName }) => localName));
  return [
    { check: 'size', isGood: kilobytes <= MAX_KILOBYTES, found: kilobytes },
    { check: 'text', isGood: text !== null, found: 0 },
    { check: 'words', isGood: images.length === 0 || words >= FEW_WORDS, found: words },
    { check: 'descriptions', isGood: undescribed === 0, found: undescribed },
    { check: 'secure', isGood: insecure === 0, found: insecure },
    { check: 'links', isGood: broken === 0, found: broken },
    { check: 'removed', isGood: removed.size === 0, found: [...removed].join(', ') },
  ];
}
