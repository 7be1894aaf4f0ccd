import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../api/live.ts';
import type { Answer } from '../../api/operations.ts';
import type { Tone } from '../../components/values.tsx';
import { doneOf } from './campaign-counts.ts';

/** A campaign of a list. */
export type ListedCampaign = Answer<'/v1/campaigns'>['campaigns'][number];

/** A campaign of any channel as every answer and the live stream show it. */
export type Campaign = Omit<ListedCampaign, 'starts_at'>;

export type CampaignDetail = Answer<'/v1/campaigns/{id}'>;

export type Progress = NonNullable<Campaign['progress']>;

export const stateTones: Readonly<Record<Campaign['state'], Tone>> = {
  scheduled: 'neutral',
  running: 'busy',
  paused: 'warning',
  cancelled: 'bad',
  finished: 'good',
};

/** Start of a campaign: while it is scheduled, the first time that the sending hours permit. */
export const startOf = ({ starts_at, due_at }: Pick<ListedCampaign, 'starts_at' | 'due_at'>): string =>
  starts_at ?? due_at;

/** Recipients in all, as far as known. */
export const totalOf = ({ messages, unmade }: Campaign): number => messages + unmade;

/** Campaigns that GET /v1/live watches at most. */
const MOST_WATCHED = 20;

/** Whether the campaign can still change. */
function isOpen({ state, progress }: Campaign): boolean {
  return (
    state === 'scheduled' ||
    state === 'running' ||
    state === 'paused' ||
    progress === null ||
    progress.submitted + progress.waiting > 0
  );
}

/**
 * Merges campaigns with updates of the live stream. `latest` returns the current state of a campaign, `keep` stores the
 * campaign of a response. A row that was read later replaces earlier updates.
 */
export function useLiveCampaigns<Row extends Campaign>(rows: readonly Row[]) {
  const [told, setTold] = useState<Readonly<Record<string, { readonly of: Row; readonly now: Campaign }>>>(
    {},
  );
  const keep = (now: Campaign) => {
    const of = rows.find(({ id }) => id === now.id);
    if (of) setTold((before) => ({ ...before, [now.id]: { of, now } }));
  };
  useLive(
    {
      shipments: rows
        .filter(isOpen)
        .slice(0, MOST_WATCHED)
        .map(({ id }) => id)
        .join(),
    },
    { shipment: (data) => keep(data as Campaign) },
  );
  const latest = (row: Row): Row => {
    const { of, now } = told[row.id] ?? {};
    return of === row ? { ...row, ...now } : row;
  };
  return { latest, keep };
}

/** Milliseconds over which the rate is measured. */
const MEASURED_MS = 12_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Submitted messages per second, from the latest counts; null without enough counts. */
export function useRate(campaign: Campaign): number | null {
  const samples = useRef<Sample[]>([]);
  const [rate, setRate] = useState<number | null>(null);
  const done = doneOf(campaign);
  const countedAt = campaign.progress?.counted_at;
  const running = campaign.state === 'running';
  useEffect(() => {
    if (!running || countedAt === undefined) {
      samples.current = [];
      setRate(null);
      return;
    }
    const at = Date.parse(countedAt);
    const last = samples.current.at(-1);
    if (last && at <= last.at) return;
    samples.current = [...samples.current.filter((sample) => at - sample.at <= MEASURED_MS), { at, done }];
    const [first] = samples.current;
    const span = at - first!.at;
    setRate(span < 500 ? null : Math.max(0, ((done - first!.done) * 1_000) / span));
  }, [running, countedAt, done]);
  return rate;
}
