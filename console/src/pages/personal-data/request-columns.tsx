import type { Answer } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { Named } from '../../components/text.tsx';
import { StatusBadge, Time, type Tone } from '../../components/values.tsx';
import { usePersonalDataTexts } from './texts.ts';

export type SubjectRequest = Answer<'/v1/data-subjects/requests/{id}'>;

const tones: Readonly<Record<SubjectRequest['state'], Tone>> = {
  waiting: 'busy',
  running: 'busy',
  rechecking: 'busy',
  done: 'good',
  failed: 'bad',
  deleted: 'neutral',
};

export function RequestState({ state }: Pick<SubjectRequest, 'state'>) {
  const t = usePersonalDataTexts();
  return <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>;
}

/** The columns of a table of exports and erasures, each a link to its page. */
export function useRequestColumns(): readonly Column<SubjectRequest>[] {
  const t = usePersonalDataTexts();
  return [
    {
      title: t.request,
      cell: ({ id, kind, reference }) => (
        <Named name={t.types[kind]} href={`/personal-data/${id}`}>
          {reference !== '' && <bdi>{reference}</bdi>}
        </Named>
      ),
    },
    { title: t.state, cell: ({ state }) => <RequestState state={state} /> },
    { title: t.requestedBy, wideOnly: true, cell: ({ requested_by: by }) => <bdi>{by ?? '–'}</bdi> },
    { title: t.requestedAt, wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}
