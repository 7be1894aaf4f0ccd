import { Alert, Button, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { KeyRound, Plus } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { Pages } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { ShownOnce } from '../../components/code-block.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialog, useDialogs } from '../../components/dialogs.tsx';
import { fieldsOf } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

interface Token {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** A kind of token: its texts, its list, and its actions to create and revoke. */
interface TokenKind<T extends Token> {
  readonly texts: { readonly title: string; readonly make: string };
  readonly address: '/v1/tokens' | '/v1/mail/tokens';
  readonly pages: Pages<T>;
  readonly scopes?: Column<T>;
  readonly expires?: Column<T>;
  readonly variant?: 'default';
  readonly empty: (create: ReactNode) => ReactNode;
  /** The form of a new one. */
  readonly CreateForm: ComponentType;
  readonly revoke: (id: string) => Promise<unknown>;
}

/** The tokens of a kind as `list`, with its dialogs, and the button that creates one as `create`. */
export function useTokenList<T extends Token>(kind: TokenKind<T>) {
  const { tokens: t, common } = useTexts();
  const { texts, address, pages, scopes, expires, variant, empty, CreateForm, revoke } = kind;
  const done = useDone();
  const { open, ask } = useDialogs();
  const wide = { size: 'lg' } as const;
  const create = (
    <Action icon={Plus} {...(variant && { variant })} onClick={() => open(texts.make, <CreateForm />, wide)}>
      {texts.make}
    </Action>
  );
  const askRevoke = ({ id, label }: T) =>
    ask({
      title: t.revokeTitle(label),
      text: t.revokeText,
      action: t.revoke,
      keep: common.keeps.token,
      run: async () => {
        await revoke(id);
        await done(t.revoked(label), address);
      },
    });
  const list = (
    <DataTable
      caption={texts.title}
      pages={pages}
      rowKey={(row) => row.id}
      columns={[
        {
          title: t.label,
          cell: (row) => (
            <Text size="sm" fw={600} dir="auto" ta="start">
              {row.label}
            </Text>
          ),
        },
        scopes ?? false,
        { title: t.created, cell: (row) => <Time at={row.created_at} to="date" />, wideOnly: true },
        expires ?? false,
        {
          title: t.lastUsed,
          cell: (row) => (row.last_used_at === null ? t.never : <Time at={row.last_used_at} />),
          wideOnly: true,
        },
        {
          title: t.revoke,
          hiddenTitle: true,
          align: 'end',
          cell: (row) => (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={t.revokeOne(row.label)}
              onClick={() => askRevoke(row)}
            >
              {t.revoke}
            </Button>
          ),
        },
      ]}
      empty={empty(create)}
    />
  );
  return { create, list };
}

/** Shows a new token in the place of the form that created it, this once. */
export function useShowToken(title: string): (token: string) => false {
  const { tokens: t } = useTexts();
  const dialog = useDialog()!;
  const text = (
    <Alert color="orange" title={t.shownOnce}>
      {t.shownOnceText}
    </Alert>
  );
  return (token) =>
    dialog.show(title, <ShownOnce text={text} code={token} label={title} done={t.kept} />, { sticky: true });
}

/** Input for the label of a token. */
export function LabelField<Values>({ form }: { readonly form: UseFormReturnType<Values> }) {
  const { tokens: t } = useTexts();
  const field = fieldsOf(form);
  return field.text('label', t.label, {
    written: true,
    required: true,
    focus: true,
    placeholder: t.labelExample,
    maxLength: 100,
  });
}

/** Empty state of the list of tokens. */
export function NoTokens({ title, hint, create }: { title: string; hint?: string; create?: ReactNode }) {
  return <Empty icon={KeyRound} title={title} action={create} hint={hint} />;
}
