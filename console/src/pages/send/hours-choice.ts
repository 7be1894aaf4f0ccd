/** What a send says to the sending policy: hours of its own, '' for none, and whether it is exempt. */
export interface HoursChoice {
  readonly hours: string;
  readonly transactional: boolean;
}

export const noHours: HoursChoice = { hours: '', transactional: false };

/** The fields of a request that begins at a time, or with null now. */
export const timingBody = (dueAt: Date | null, { hours, transactional }: HoursChoice) => ({
  at: dueAt?.toISOString() ?? null,
  ...(hours !== '' && { sending_hours: hours }),
  ...(transactional && { transactional }),
});

/** What a request that was sent before has of them. */
export const readHours = ({
  sending_hours,
  transactional = false,
}: {
  readonly sending_hours?: string | null;
  readonly transactional?: boolean;
}): HoursChoice => ({ hours: sending_hours ?? '', transactional });
