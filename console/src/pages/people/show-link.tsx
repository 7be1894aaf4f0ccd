import { Alert } from '@mantine/core';
import { ShownOnce } from '../../components/code-block.tsx';
import type { useDialog } from '../../components/dialogs.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import type { PersonLink } from './team.ts';
import { usePeopleTexts } from './texts.ts';

type Dialog = NonNullable<ReturnType<typeof useDialog>>;

/** Shows an invitation in a dialog, this once. */
export function useShowLink(): (dialog: Dialog, name: string, link: PersonLink) => false {
  const t = usePeopleTexts();
  return (dialog, name, link) =>
    dialog.show(
      t.linkTitle(name),
      <ShownOnce
        text={<Alert color="orange">{t.linkText}</Alert>}
        code={`${location.origin}/password#${link.token}`}
        label={t.link}
        done={t.linkKept}
        note={
          <Muted>
            {t.linkUntil} <Time at={link.expires_at} />
          </Muted>
        }
      />,
      { size: 'lg', sticky: true },
    );
}
