import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Visitor, visitorOf } from '../../../server/engine/links/visitors.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

const agents: Record<Visitor, readonly string[]> = {
  person: [
    iphone,
    android,
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
    // The browsers within applications.
    `${iphone} Snapchat/12.80.0.44`,
    `${android} [Pinterest/Android]`,
    `${android} Instagram 300.0.0.0 Android`,
  ],
  preview: [
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    // iMessage
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'WhatsApp/2.23.20.0 A',
    'TelegramBot (like TwitterBot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  ],
  bot: [
    '',
    'curl/8.5.0',
    'python-requests/2.32',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  ],
};

for (const [visitor, list] of Object.entries(agents)) {
  test(`user agents of a ${visitor}`, () => {
    for (const agent of list) assert.equal(visitorOf('GET', { 'user-agent': agent }), visitor, agent);
  });
}

test('a request without a user agent is a bot, one for the head alone or ahead of a press a preview', () => {
  assert.equal(visitorOf('GET', {}), 'bot');
  assert.equal(visitorOf('HEAD', { 'user-agent': iphone }), 'preview');
  assert.equal(visitorOf('GET', { 'user-agent': iphone, 'sec-purpose': 'prefetch;prerender' }), 'preview');
  assert.equal(visitorOf('GET', { 'user-agent': iphone, purpose: 'prefetch' }), 'preview');
  assert.equal(visitorOf('GET', { 'user-agent': iphone, 'x-moz': 'prefetch' }), 'preview');
});
