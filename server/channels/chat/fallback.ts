import type { FallbackSender } from '../../engine/fallback/sender.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type { Campaigns } from './campaigns.ts';
import type { ChatSender } from './sender.ts';

/** A template without variables, which replaces messages of another channel. */
interface ChatFallback {
  /** Business number, as in the request. */
  readonly source: string;
  readonly templateId: string;
  readonly headerLink: string;
}

interface ChatFallbackDeps {
  readonly sender: ChatSender;
  readonly campaigns: Campaigns;
}

/** Sends templates in place of messages that failed on another channel. */
export function chatFallback({ sender, campaigns }: ChatFallbackDeps): FallbackSender<ChatFallback> {
  return {
    async read({ source, templateId, headerLink = '' }, { accountId }) {
      if (source === undefined) throw badField('source', 'missing', 'missing');
      if (templateId === undefined) throw badField('templateId', 'missing', 'missing');
      const content = { source, templateId, headerLink };
      try {
        await campaigns.checkTemplate({ ...content, accountId, phones: [], lists: [] });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // A template that needs values which a fallback cannot have.
        throw error.at(error.path !== undefined && error.path in content ? error.path : 'templateId');
      }
      return content;
    },

    async send({ accountId, fallbackOf, content, messages, isCampaign, campaignName, rule }, within) {
      const phones = messages.map(({ phone }) => `+${phone}`);
      const { source, templateId, headerLink } = content;
      // Only campaigns have the field `sending_hours`, also those to one recipient.
      if (isCampaign || phones.length > 1 || (rule && 'hours' in rule)) {
        const name = campaignName ?? '';
        await campaigns.create({ ...content, accountId, phones, lists: [], name, rule, fallbackOf, within });
        return;
      }
      await sender.template({
        ...{ accountId, source, templateId, rule },
        destination: phones[0]!,
        fields: headerLink === '' ? {} : { headerLink },
        replaces: { fallbackOf, within },
      });
    },
  };
}
