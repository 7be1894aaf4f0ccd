import { useQuery } from '@tanstack/react-query';
import { byId, client } from './client.ts';
import type { Answer, Query, RequestBody } from './operations.ts';
import { useAnswer } from './queries.ts';

/** A conversation in a list. */
export type Conversation = Answer<'/v1/conversations'>['conversations'][number];
export type ConversationQuery = Query<'/v1/conversations'>;
/** How a client can be answered now. */
export type ReplyState = Answer<'/v1/conversations/{id}'>['replies'];
/** A message, a note, or what people and rules did. */
export type TimelineItem = Answer<'/v1/conversations/{id}/timeline'>['items'][number];
export type ReplyBody = RequestBody<'/v1/conversations/{id}/replies'>;
export type ConversationLabel = Answer<'/v1/conversation-labels'>['labels'][number];

export const COUNTS = '/v1/conversations/counts';
export const LABELS = '/v1/conversation-labels';

/**
 * Milliseconds between two requests for the counts of waiting conversations. The inbox also refreshes them when a
 * conversation changes.
 */
const COUNTS_MS = 15_000;
const STALE_MS = 60_000;

/**
 * Numbers of waiting conversations, also refreshed in a background window, because its title and notifications show them.
 */
export function useConversationCounts(enabled = true) {
  return useAnswer(
    COUNTS,
    {},
    { enabled, refetchInterval: COUNTS_MS, refetchIntervalInBackground: true, staleTime: 1_000 },
  ).data;
}

/** One conversation, with how its client can be answered now. */
export const useConversation = (id: string) =>
  useAnswer('/v1/conversations/{id}', byId(id), { refetchInterval: STALE_MS });

const noLabels: readonly ConversationLabel[] = [];

/** The labels that conversations can have, by name. */
export const useConversationLabels = () =>
  useAnswer(LABELS, {}, { staleTime: STALE_MS }).data?.labels ?? noLabels;

const noAgents: Answer<'/v1/conversation-agents'>['agents'] = [];

/** The people whom conversations can be assigned to, by name. */
export const useConversationAgents = () =>
  useAnswer('/v1/conversation-agents', {}, { staleTime: STALE_MS }).data?.agents ?? noAgents;

/** Current price of a reply; undefined while there is no reply or the service would refuse it. */
export function useReplyEstimate(id: string, body: ReplyBody | undefined) {
  return useQuery({
    queryKey: ['reply-estimate', id, body],
    queryFn: async () => {
      const data = await client.POST('/v1/conversations/{id}/replies/estimate', {
        ...byId(id),
        body: body!,
      });
      return data;
    },
    enabled: body !== undefined,
    retry: false,
    gcTime: STALE_MS,
  });
}
