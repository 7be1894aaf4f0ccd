/** Kind of visitor, as stored in `clicks.visitor`. */
export const visitors = { person: 0, preview: 1, bot: 2 } as const;
export type Visitor = keyof typeof visitors;

/** Every browser of the last 25 years begins like this; programs that identify themselves do not. */
const browsers = /^(?:mozilla|opera)\//i;
// Programs that fetch a page to show a preview. Some pretend to be browsers; some names appear in in-app browsers.
const previews =
  /facebookexternalhit|facebot|telegrambot|twitterbot|slackbot|discordbot|linkedinbot|pinterestbot|redditbot|bingpreview|preview|google-pagerenderer|vkshare|embedly|iframely|^(?:whatsapp|viber|snapchat|pinterest|signal|line-poker|kakaotalk|slack)/i;
// Cubot is a brand of phones.
const bots =
  /(?<!cu)bot(?![a-z])|crawl|spider|slurp|scann|fetcher|scrap|archiver|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|proofpoint|barracuda|mimecast|safebrowsing|virustotal|urlscan|compatible; google/i;

/**
 * Returns the kind of visitor from the request's headers. A HEAD request and one marked as prefetched (`Sec-Purpose`,
 * `Purpose`, `X-Moz`: prefetch or preview) are previews, with any user agent; a request without one is a bot's.
 */
export function visitorOf(method: string, headers: Readonly<Record<string, unknown>>): Visitor {
  if (method === 'HEAD') return 'preview';
  for (const name of ['sec-purpose', 'purpose', 'x-moz']) {
    if (/prefetch|prerender|preview/i.test(String(headers[name] ?? ''))) return 'preview';
  }
  const agent = String(headers['user-agent'] ?? '');
  if (previews.test(agent)) return 'preview';
  return browsers.test(agent) && !bots.test(agent) ? 'person' : 'bot';
}
