import { Alert } from '@mantine/core';
import { ShownOnce } from '../../components/code-block.tsx';
import type { useDialog } from '../../components/dialogs.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { useInvitationTexts } from './invitation-texts.ts';

type Dialog = NonNullable<ReturnType<typeof useDialog>>;

/** One-time link with which a person chooses their password. */
export interface PersonLink {
  readonly token: string;
  readonly expires_at: string;
  /** Address to which it was mailed; null if it was not. */
  readonly mailed_to: string | null;
}

/** Shows an invitation in a dialog, this once. */
export function useShowLink(): (dialog: Dialog, name: string, link: PersonLink) => false {
  const t = useInvitationTexts();
  return (dialog, name, { token, expires_at, mailed_to: address }) =>
    dialog.show(
      t.title(name),
      <ShownOnce
        text={
          address === null ? (
            <Alert color="orange">{t.text}</Alert>
          ) : (
            <Alert>{t.mailed(`\u2066${address}\u2069`)}</Alert>
          )
        }
        code={`${location.origin}/password#${token}`}
        label={t.link}
        done={address === null ? t.kept : t.close}
        note={
          <Muted>
            {t.until} <Time at={expires_at} />
          </Muted>
        }
      />,
      { size: 'lg', sticky: address === null },
    );
}
