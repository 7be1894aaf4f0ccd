import { defaultOptionsFilter, type OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { useSession } from '../../api/session-context.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Characters that a sender name may have. */
const MAX_NAME = 11;

/** The first words of a name that fit into a sender name; '' without a Latin letter. */
function nameOf(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word.slice(0, MAX_NAME) : `${name} ${word}`;
    if (longer.length > MAX_NAME) break;
    name = longer;
  }
  return /[A-Za-z]/.test(name) ? name : '';
}

/**
 * The input for the sender of a composer: it offers the senders that the account may use, and begins with the one that was
 * used last, or the first of them. Where the service does not check senders, it also offers one made of the account's name.
 *
 * @param value sender of the draft; '' when none was chosen
 */
export function useSender(channel: 'sms' | 'mail', value: string, onChange: (sender: string) => void) {
  const { send: t, mailCampaigns } = useTexts();
  const { account, sandbox } = useSession();
  const [isTouched, setTouched] = useState(false);
  // A suggestion that appears while the person types would be mixed with what they type.
  const [isFocusedEarly, setFocusedEarly] = useState(false);
  const sources = useAnswer('/v1/sources');
  const latest = useAnswer('/v1/shipments', { query: { channel, kind: 'all', limit: 1 } });
  const isFree = sources.data?.any === true;
  const approved = (sources.data?.sources ?? [])
    .filter(({ kind, source }) => (kind === 'mail') === (channel === 'mail') && !source.startsWith('@'))
    .map(({ source }) => source);
  const used = latest.data?.shipments[0]?.source ?? '';
  const name = nameOf(account?.name ?? '') || nameOf(account?.username ?? '');
  // Only in a sandbox, which delivers no email, an address of nobody is of use.
  const mailbox = sandbox ? `news@${name.toLowerCase().replaceAll(' ', '-')}.example` : '';
  const own = channel === 'mail' ? mailbox : name;
  const isUsable = used !== '' && (isFree || approved.includes(used));
  const offered = [
    ...new Set([
      ...(isUsable ? [used] : []),
      ...approved,
      ...(isFree && name !== '' && own !== '' ? [own] : []),
    ]),
  ];
  const isKnown = sources.data !== undefined && !latest.isPending;
  const suggestion = isTouched || isFocusedEarly || !isKnown ? '' : (offered[0] ?? '');
  const shown = value === '' ? suggestion : value;
  const hint = channel === 'mail' ? mailCampaigns.fromHint : t.senderHint;
  return {
    sender: shown,
    /** Whether the account has neither an approved sender nor the right to use any. */
    isWithout: sources.data !== undefined && approved.length === 0 && !isFree,
    /** Verified numbers of the account. */
    ownNumbers: (sources.data?.sources ?? [])
      .filter(({ kind }) => kind === 'number')
      .map(({ source }) => source),
    /** Properties of its Autocomplete. */
    input: {
      description: isFree ? t.anySenderHint : hint,
      dir: 'ltr' as const,
      data: offered,
      // The list of a chosen sender has the others.
      filter: ((input) =>
        offered.includes(input.search.trim()) ? input.options : defaultOptionsFilter(input)) as OptionsFilter,
      value: shown,
      onFocus: () => setFocusedEarly(!isKnown),
      onBlur: () => setFocusedEarly(false),
      onChange: (typed: string) => {
        setTouched(true);
        onChange(typed);
      },
    },
  };
}
