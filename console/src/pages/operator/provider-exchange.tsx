import type { ReactNode } from 'react';
import type { Answer } from '../../api/operations.ts';
import { Facts } from '../../components/facts.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useTestMessageTexts } from './test-message-texts.ts';

type Verdict = NonNullable<Answer<'/v1/operator/http-carriers/try', 'POST'>['verdict']>;

/** The meaning of an answer of a provider by the rules of its description. */
export function VerdictFacts({ verdict }: { readonly verdict: Verdict }) {
  const t = useTestMessageTexts();
  const language = useLanguage();
  const { outcome, ids, code, after_ms: afterMs } = verdict;
  return (
    <Facts
      rows={[
        [t.verdict, t.outcomes[outcome]],
        ...(ids.length > 0 ? [ltr(t.carrierIds, ids.join(', '))] : []),
        ...(code !== null ? [ltr(t.code, code)] : []),
        ...(afterMs !== null ? [ltr(t.outcomes.again, t.duration(afterMs.toLocaleString(language)))] : []),
      ]}
    />
  );
}

const ltr = (name: string, value: string): [string, ReactNode] => [
  name,
  <bdi key={name} dir="ltr">
    {value}
  </bdi>,
];

/** Writes a request or an answer as it is sent. */
export const written = (
  first: string,
  headers: readonly { readonly name: string; readonly value: string }[],
  body: string | null,
): string =>
  [first, ...headers.map(({ name, value }) => `${name}: ${value}`), ...(body ? ['', body] : [])].join('\n');
