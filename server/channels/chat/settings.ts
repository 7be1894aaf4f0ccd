import { z } from 'zod';
import { price, setting, text, whole } from '../../kit/setting.ts';

/** The settings of chat. */
export const chatSettings = {
  DEFAULT_CHAT_PRICE: setting(
    price,
    '1',
    'Price of a chat conversation (24 hours with one client) for destinations without a price in the price list.',
  ),
  CHAT_PLATFORM_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    'https://graph.facebook.com',
    'Address of the chat platform, see docs/chat-platform.md.',
  ),
  CHAT_APP_ID: setting(
    text.optional(),
    undefined,
    'Id of the app on the chat platform, which uploads samples of media.',
  ),
  CHAT_APP_SECRET: setting(
    text.optional(),
    undefined,
    "Secret of the app, which signs the chat platform's webhooks. Without it /chat-webhooks does not exist.",
  ),
  CHAT_VERIFY_TOKEN: setting(
    text.optional(),
    undefined,
    'Verify token that the chat platform sends when /chat-webhooks is registered there.',
  ),
  CHAT_API_ALIASES: setting(
    text.regex(/^[\w-]+(,[\w-]+)*$/, 'must be path segments with commas between').optional(),
    undefined,
    'Other first segments of the paths of the chat API in addition to `chat-api`, separated by commas.',
  ),
  CHAT_CLIENT_PAUSE_MS: setting(
    whole(0, 60_000),
    '6000',
    'Pause between two chat messages to one client, in milliseconds: the rate that the platform accepts in the long run. 0 is no pause.',
  ),
  CHAT_UNANSWERED_DAYS: setting(
    whole(0, 365),
    '0',
    'Days after which unanswered template messages to a client no longer count, if no other was sent; 0 is never.',
  ),
  MEDIA_CHECK: setting(
    z.enum(['on', 'strict', 'off'], 'must be on, strict or off'),
    'on',
    'Whether the service checks the type and size behind media links before it accepts a chat message; strict refuses links that do not respond.',
  ),
} as const;
