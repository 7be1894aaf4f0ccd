import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { StandingTopic } from '../../../protocols/chat-platform/facts.ts';

/* Standing of portfolios, numbers and templates on the platform, under /v1. */

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

/** Converts a rating of the platform (`GREEN`, `YELLOW`, `RED`, …) for responses. */
export const showQuality = (quality: string) => qualities[quality] ?? 'unknown';

export const qualityAnswer = out.oneOf(
  qualityWords,
  'Quality rating of the platform, by reports of recipients (blocks, spam). `unknown` until it is rated.',
  'high',
);

/** A problem of a portfolio or one of its numbers. */
export const problemAnswer = z.object({
  topic: out.oneOf(
    topics,
    'Topic: a ban of the business account, a restriction, a violation of the rules, its connection, its review, an alert; for a number also its name or its rating.',
    'restriction',
  ),
  severity: out.oneOf(
    ['stopped', 'warning'],
    '`stopped`: some or all messages cannot be sent; `warning`: action is required.',
    'stopped',
  ),
  phone: out.text('Business number, international digits; empty for the whole portfolio.', ''),
  word: out.text("The platform's term for the problem.", 'RESTRICTED_BIZ_INITIATED_MESSAGING'),
  reason: out.text("The platform's term for the cause; empty if it reports none.", ''),
  until: out.maybeInstant(
    'End of the problem, ISO 8601; null: until the platform reports its end. Violations and alerts are shown for 30 days.',
    '2026-04-01T00:00:00.000Z',
  ),
  told_at: out.time("Time of the platform's report"),
});
export const showProblem = serializer(problemAnswer);
