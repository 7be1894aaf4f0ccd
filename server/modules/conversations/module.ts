import { serve } from '../../api/v1/kit/route.ts';
import { idFloor } from '../../kit/ids.ts';
import { defineModule } from '../../run/define-module.ts';
import { type AsksRemoval, createRemovalWords } from '../audience/removal-words.ts';
import { AutoCloser } from './auto-closer.ts';
import { Automation } from './automation.ts';
import { Conversations } from './conversations.ts';
import { ConversationLabels } from './labels.ts';
import { conversationsPart } from './personal-data.ts';
import { Replies } from './replies.ts';
import { ConversationRules } from './rules.ts';
import { SavedReplies } from './saved-replies.ts';
import { ConversationSettingsStore } from './settings.ts';
import { conversationsTables } from './tables.ts';
import { labelRoutes } from './v1/labels.ts';
import { replyRoutes } from './v1/replies.ts';
import { conversationRoutes } from './v1/routes.ts';
import { conversationRuleRoutes } from './v1/rules.ts';
import { savedReplyRoutes } from './v1/saved-replies.ts';
import { conversationSettingsRoutes } from './v1/settings.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly asksRemoval: AsksRemoval;
    readonly conversations: Conversations;
    readonly conversationLabels: ConversationLabels;
    readonly conversationRules: ConversationRules;
    readonly conversationSettings: ConversationSettingsStore;
    readonly savedReplies: SavedReplies;
    readonly replies: Replies;
    readonly autoCloser: AutoCloser;
  }
}

const SILENCE_MS = 10_000;
const DAY_MS = 86_400_000;

/** Messages of clients, and replies of people and rules. */
export const conversations = defineModule({
  name: 'conversations',
  tables: conversationsTables,
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'config',
    'channels',
    'defaultZone',
    'accounts',
    'people',
    'numbers',
    'events',
    'changes',
    'sendKeys',
    'budgets',
    'fraudGuard',
    'work',
  ],
  open(needs) {
    const { sql, ids, clock, log, config, channels, defaultZone, accounts, numbers, events } = needs;
    const { changes, sendKeys, budgets, fraudGuard, work } = needs;
    const { people } = needs.people;
    const asksRemoval = createRemovalWords(config.REMOVAL_WORDS);
    const change = { ids, clock, channels, events };
    const automation = new Automation({ ...change, log, accounts, defaultZone, people, asksRemoval, work });
    const conversations = new Conversations({
      ...change,
      sql,
      automation,
      changed: (id) => changes.notify(id),
    });
    const changed = (id: number) => automation.changed(id);
    return {
      asksRemoval,
      conversations,
      conversationLabels: new ConversationLabels({ sql, ids }),
      conversationRules: new ConversationRules({ sql, ids, clock, people, changed }),
      conversationSettings: new ConversationSettingsStore({ sql, people, changed }),
      savedReplies: new SavedReplies({ sql, ids, clock }),
      replies: new Replies({
        sql,
        ids,
        clock,
        log,
        conversations,
        sendKeys,
        budgets,
        fraudGuard,
        numbers,
        work,
      }),
      autoCloser: new AutoCloser({ ...change, sql, conversations }),
    };
  },
  jobs: ({ autoCloser }) => [
    { owner: 'silent conversations', everyMs: SILENCE_MS, step: () => autoCloser.run() },
  ],
  upkeep: ({ conversations, clock, config }) =>
    conversations.cleanUp(idFloor(clock.now() - config.KEEP_DAYS * DAY_MS)),
  personalData: { phase: 'messages', part: () => conversationsPart },
  authored: ({ conversationRules, conversationSettings }) => [
    {
      kind: 'conversation-rule',
      route: ['POST', '/v1/conversation-rules'],
      authors: () => conversationRules.authors(),
      stop: (tx, gone) => conversationRules.stop(tx, gone),
      announce: (stopped) => conversationRules.announce(stopped),
    },
    {
      kind: 'away-message',
      route: ['PATCH', '/v1/conversation-settings'],
      authors: () => conversationSettings.authors(),
      stop: (tx, gone) => conversationSettings.stop(tx, gone),
      announce: (stopped) => conversationSettings.announce(stopped),
    },
  ],
  routes: [
    serve(conversationRoutes),
    serve(replyRoutes),
    serve(labelRoutes),
    serve(savedReplyRoutes),
    serve(conversationRuleRoutes),
    serve(conversationSettingsRoutes),
  ],
});
