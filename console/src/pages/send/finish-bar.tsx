import { Alert, Group } from '@mantine/core';
import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Facts } from '../../components/facts.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Amount, Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useComposerTexts } from './use-composer-texts.ts';

/** A start within a minute is treated as an immediate one. */
const SOON_MS = 60_000;

/** Estimate of a send. */
export interface Estimate {
  readonly recipients: number;
  readonly blocked?: number;
  readonly recent?: number;
  /** Recipients without a consent; null or missing when no consent is required. */
  readonly without_consent?: number | null;
  readonly cost: string;
  readonly balance: string;
  readonly enough: boolean;
  /** Time of the first message, unless it is sent immediately. */
  readonly starts_at?: string;
  /** Missing for emails, whose speed depends on the relay. */
  readonly finishes_at?: string;
  /** When it is read aloud. */
  readonly voice?: { readonly calls: number | null; readonly call_price: string } | null;
}

/** The foot of a composer: cost, recipients and finishing time, and the buttons that send. */
export function FinishBar({
  estimate,
  busy,
  error,
  atMost = false,
  note,
  hint,
  alerts,
  children,
}: {
  /** Undefined while there is nothing to estimate. */
  readonly estimate: Estimate | undefined;
  readonly busy: boolean;
  readonly error: unknown;
  readonly atMost?: boolean;
  readonly note?: string | undefined;
  /** Shown while no estimate is possible; undefined shows nothing. */
  readonly hint: string | undefined;
  /** Problems, above the figures. */
  readonly alerts: ReactNode;
  /** The buttons. */
  readonly children: ReactNode;
}) {
  const { send: t } = useTexts();
  return (
    <section className="finish" aria-busy={busy} aria-label={t.estimate}>
      {estimate && !estimate.enough && (
        <Alert color="orange" icon={<Wallet />} role="alert">
          {t.notEnough}
        </Alert>
      )}
      <ErrorNote error={error} />
      {alerts}
      <div className="finish-row">
        <div className="finish-figures" aria-live="polite">
          {estimate ? (
            <Figures estimate={estimate} atMost={atMost} />
          ) : (
            error === null && hint !== undefined && <Muted>{hint}</Muted>
          )}
          {note !== undefined && <Muted size="xs">{note}</Muted>}
        </div>
        <Group gap="sm" className="finish-actions">
          {children}
        </Group>
      </div>
    </section>
  );
}

function Figures({ estimate, atMost }: { readonly estimate: Estimate; readonly atMost: boolean }) {
  const { send: t } = useTexts();
  const { balanceAfter } = useComposerTexts();
  const {
    recipients,
    blocked = 0,
    recent = 0,
    without_consent,
    cost,
    balance,
    starts_at,
    finishes_at,
    voice,
  } = estimate;
  const rows: (readonly [string, ReactNode])[] = [
    [
      atMost || without_consent ? t.costAtMost : t.cost,
      <span key="cost" className="finish-cost">
        <Amount value={cost} unit />
      </span>,
    ],
    [t.recipientsCount, <Count key="recipients" value={recipients} />],
  ];
  if (typeof without_consent === 'number')
    rows.push([t.withoutConsent, <Count key="consent" value={without_consent} />]);
  if (blocked > 0) rows.push([t.blocked, <Count key="blocked" value={blocked} />]);
  if (recent > 0) rows.push([t.recentLeft, <Count key="recent" value={recent} />]);
  if (voice) {
    if (voice.calls !== null) rows.push([t.aloud.calls, <Count key="calls" value={voice.calls} />]);
    rows.push([t.aloud.callPrice, <Amount key="call" value={voice.call_price} unit />]);
  }
  rows.push([balanceAfter, <Amount key="balance" value={String(Number(balance) - Number(cost))} unit />]);
  if (starts_at !== undefined && Date.parse(starts_at) > Date.now() + SOON_MS)
    rows.push([t.starts, <Time key="starts" at={starts_at} to="second" />]);
  if (finishes_at !== undefined)
    rows.push([t.finishes, <Time key="finishes" at={finishes_at} to="second" />]);
  return <Facts className="finish-facts" rows={rows} />;
}
