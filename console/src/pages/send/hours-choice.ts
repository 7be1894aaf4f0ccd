/** Options of a send for the sending policy: its own sending hours ('' when not chosen), and whether it is exempt. */
export interface HoursChoice {
  readonly hours: string;
  readonly transactional: boolean;
}

export const noHours: HoursChoice = { hours: '', transactional: false };

/** Request fields of a send at a time, or with null immediately. */
export const timingBody = (dueAt: Date | null, { hours, transactional }: HoursChoice) => ({
  at: dueAt?.toISOString() ?? null,
  ...(hours !== '' && { sending_hours: hours }),
  ...(transactional && { transactional }),
});

/** Sending hours and exemption of a request that was sent before. */
export const readHours = ({
  sending_hours,
  transactional = false,
}: {
  readonly sending_hours?: string | null;
  readonly transactional?: boolean;
}): HoursChoice => ({ hours: sending_hours ?? '', transactional });
