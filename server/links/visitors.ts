/** Who followed a link, as stored in `clicks.visitor`. */
export const visitors = { person: 0, preview: 1, bot: 2 } as const;
export type Visitor = keyof typeof visitors;

/** Every browser of the last 25 years begins so; programs that say what they are do not. */
const browsers = /^(?:mozilla|opera)\//i;
// Programs that fetch a page to show what it is about. Some pass for browsers, some names are in-app browsers there.
const previews =
  /facebookexternalhit|facebot|telegrambot|twitterbot|slackbot|discordbot|linkedinbot|pinterestbot|redditbot|bingpreview|preview|google-pagerenderer|vkshare|embedly|iframely|^(?:whatsapp|viber|snapchat|pinterest|signal|line-poker|kakaotalk|slack)/i;
// Cubot makes telephones.
const bots =
  /(?<!cu)bot(?![a-z])|crawl|spider|slurp|scann|fetcher|scrap|archiver|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|proofpoint|barracuda|mimecast|safebrowsing|virustotal|urlscan|compatible; google/i;

/**
 * Who sends a request, by what it says of itself. A HEAD request and one marked as fetched ahead (`Sec-Purpose`,
 * `Purpose`, `X-Moz`: prefetch or preview) are previews, whatever the user agent; none at all is a bot's.
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
