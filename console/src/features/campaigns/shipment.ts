import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../../api/types.ts';
import type { Tone } from '../../components/values.tsx';

/** A send as the service shows it. */
export type Shipment = Answer<'/v1/shipments'>['shipments'][number];

export type ShipmentDetail = Answer<'/v1/shipments/{id}'>;

export type Progress = NonNullable<Shipment['progress']>;
export type ShipmentState = Shipment['state'];

export const stateTones: Readonly<Record<ShipmentState, Tone>> = {
  scheduled: 'neutral',
  running: 'busy',
  paused: 'warning',
  cancelled: 'bad',
  finished: 'good',
};

/** Recipients in all, as far as known. */
export const totalOf = ({ messages, unmade }: Shipment): number => messages + unmade;

/** Recipients of whom nothing waits any more. */
export function doneOf({ messages, progress }: Shipment): number {
  return progress ? messages - progress.waiting : 0;
}

/** Whether something of it may still change. */
export function isOpen({ state, progress }: Shipment): boolean {
  return (
    state === 'scheduled' || state === 'running' || state === 'paused' || (progress?.handed_over ?? 1) > 0
  );
}

/** Seconds over which the rate is measured. */
const MEASURED_MS = 12_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Messages a second that are submitted, from what was counted of late; null while nothing is known of it. */
export function useRate(shipment: Shipment): number | null {
  const samples = useRef<Sample[]>([]);
  const [rate, setRate] = useState<number | null>(null);
  const done = doneOf(shipment);
  const countedAt = shipment.progress?.counted_at;
  const running = shipment.state === 'running';
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
