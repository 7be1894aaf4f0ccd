/* Paths of /v1 that several of these pages read and change. */

export const LABELS = '/v1/conversation-labels';
export const RULES = '/v1/conversation-rules';
export const SAVED_REPLIES = '/v1/saved-replies';
export const SETTINGS = '/v1/conversation-settings';
