import { z } from 'zod';
import { price, setting, text, whole } from '../../setting.ts';

/** The settings of chat. */
export const chatSettings = {
  DEFAULT_CHAT_PRICE: setting(
    price,
    '1',
    'Price of a chat conversation (24 hours with one client) where the price list has none.',
  ),
  CHAT_PLATFORM_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    'https://graph.facebook.com',
    'Where the chat platform is, see docs/chat-platform.md.',
  ),
  CHAT_APP_ID: setting(
    text.optional(),
    undefined,
    'The app on the chat platform, which uploads samples of media.',
  ),
  CHAT_APP_SECRET: setting(
    text.optional(),
    undefined,
    "The app's secret, which signs the chat platform's webhooks. Without it /chat-webhooks does not exist.",
  ),
  CHAT_VERIFY_TOKEN: setting(
    text.optional(),
    undefined,
    'What the chat platform has to name when /chat-webhooks is registered there.',
  ),
  CHAT_API_ALIASES: setting(
    text.regex(/^[\w-]+(,[\w-]+)*$/, 'must be path segments with commas between').optional(),
    undefined,
    'Other first segments of the paths of the chat API beside `chat-api`, with commas between.',
  ),
  CHAT_CLIENT_PAUSE_MS: setting(
    whole(0, 60_000),
    '6000',
    'Between two chat messages to one client, in milliseconds: what the platform takes in the long run. 0 is no pause.',
  ),
  CHAT_UNANSWERED_DAYS: setting(
    whole(0, 365),
    '0',
    'After so many days without another, unanswered template messages to a client do not count any more; 0 is never.',
  ),
  MEDIA_CHECK: setting(
    z.enum(['on', 'strict', 'off'], 'must be on, strict or off'),
    'on',
    'Whether links to media are asked for their type and size before a chat message is taken; strict refuses those that do not answer.',
  ),
} as const;
