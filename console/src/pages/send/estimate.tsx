import { Alert, Paper, Stack, Title } from '@mantine/core';
import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Facts } from '../../components/facts.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Amount, Count, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

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

/** Cost and finishing time, before one presses. */
export function EstimateCard({
  estimate,
  busy,
  error,
  atMost = false,
  note,
  hint,
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
  readonly children: ReactNode;
}) {
  const { send: t } = useTexts();
  const rows: (readonly [string, ReactNode])[] = [];
  if (estimate) {
    const {
      recipients,
      blocked = 0,
      recent = 0,
      without_consent,
      balance,
      starts_at,
      finishes_at,
      voice,
    } = estimate;
    rows.push([t.recipientsCount, <Count key="recipients" value={recipients} />]);
    if (typeof without_consent === 'number')
      rows.push([t.withoutConsent, <Count key="consent" value={without_consent} />]);
    if (blocked > 0) rows.push([t.blocked, <Count key="blocked" value={blocked} />]);
    if (recent > 0) rows.push([t.recentLeft, <Count key="recent" value={recent} />]);
    if (voice) {
      if (voice.calls !== null) rows.push([t.aloud.calls, <Count key="calls" value={voice.calls} />]);
      rows.push([t.aloud.callPrice, <Amount key="call" value={voice.call_price} unit />]);
    }
    if (starts_at !== undefined && Date.parse(starts_at) > Date.now() + SOON_MS)
      rows.push([t.starts, <Time key="starts" at={starts_at} to="second" />]);
    if (finishes_at !== undefined)
      rows.push([t.finishes, <Time key="finishes" at={finishes_at} to="second" />]);
    rows.push([t.balance, <Amount key="balance" value={balance} unit />]);
  }
  return (
    <Paper
      withBorder
      p="lg"
      component="section"
      className="estimate"
      aria-busy={busy}
      aria-label={t.estimate}
    >
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t.estimate}
        </Title>
        <div aria-live="polite">
          {estimate ? (
            <>
              <Muted>{atMost || estimate.without_consent ? t.costAtMost : t.cost}</Muted>
              <span className="estimate-cost">
                <Amount value={estimate.cost} unit />
              </span>
              <Facts rows={rows} />
            </>
          ) : (
            error === null && hint !== undefined && <Muted>{hint}</Muted>
          )}
        </div>
        {note !== undefined && <Muted>{note}</Muted>}
        {estimate && !estimate.enough && (
          <Alert color="orange" icon={<Wallet />} role="alert">
            {t.notEnough}
          </Alert>
        )}
        <ErrorNote error={error} />
        {children}
      </Stack>
    </Paper>
  );
}
