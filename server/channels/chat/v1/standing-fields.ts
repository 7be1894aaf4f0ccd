import { z } from 'zod';
import type { StandingTopic } from '../../../carriers/chat-platform/facts.ts';
import { out } from '../../../interfaces/openapi/out.ts';
import { serializer } from '../../../interfaces/v1/kit/serializer.ts';

/* How portfolios, numbers and templates stand with the platform, under /v1. */

const topics = [
  'ban',
  'restriction',
  'violation',
  'connection',
  'review',
  'alert',
  'name',
  'quality',
] as const satisfies readonly StandingTopic[];

const qualityWords = ['high', 'medium', 'low', 'unknown'] as const;
const qualities: Readonly<Record<string, (typeof qualityWords)[number]>> = {
  GREEN: 'high',
  YELLOW: 'medium',
  RED: 'low',
};

/** A rating of the platform's (`GREEN`, `YELLOW`, `RED`, …) as answers show it. */
export const showQuality = (quality: string) => qualities[quality] ?? 'unknown';

export const qualityAnswer = out.oneOf(
  qualityWords,
  "The platform's rating by what recipients report: blocked, called spam. `unknown` until it has one.",
  'high',
);

/** Something that stands against a portfolio or one of its numbers. */
export const problemAnswer = z.object({
  topic: out.oneOf(
    topics,
    'What it is about: a ban of the business account, a restriction, a violation of the rules, the connection to it, its review, an alert; of a number its name or its rating.',
    'restriction',
  ),
  severity: out.oneOf(
    ['stopped', 'warning'],
    '`stopped`: messages cannot be sent, or not all of them; `warning`: something has to be done.',
    'stopped',
  ),
  phone: out.text('The business number, international digits; empty: the whole portfolio.', ''),
  word: out.text("The platform's word for it.", 'RESTRICTED_BIZ_INITIATED_MESSAGING'),
  reason: out.text("The platform's word for why; empty for none.", ''),
  until: out.maybeInstant(
    'Until when, ISO 8601; null: until the platform tells otherwise. Violations and alerts are shown for 30 days.',
    '2026-04-01T00:00:00.000Z',
  ),
  told_at: out.time('When the platform told it'),
});
export const showProblem = serializer(problemAnswer);
