import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { useList } from '../../api/paging.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Card } from '../../components/card.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { TokenError } from '../../features/credentials/token-error.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { LabelField, NoTokens, useShowToken, useTokenList } from './token-list.tsx';

const ADDRESS = '/v1/mail/tokens';

/** The tokens of the mailing-list API. */
export function MailTokens() {
  const { mailTokens: t } = useTexts();
  const { create, list } = useTokenList({
    texts: t,
    address: ADDRESS,
    pages: useList(ADDRESS, ({ tokens }) => tokens.toReversed()),
    variant: 'default',
    empty: () => <NoTokens title={t.none} />,
    CreateForm,
    revoke: (id) => client.DELETE('/v1/mail/tokens/{id}', byId(id)),
  });
  return (
    <Card title={t.title} lead={t.lead} actions={create}>
      {list}
    </Card>
  );
}

function CreateForm() {
  const { mailTokens: t } = useTexts();
  const refresh = useRefresh();
  const show = useShowToken(t.newToken);
  const form = useForm({ initialValues: { label: '' } });
  const { error, ...submission } = useSubmission(form, async (body) => {
    const data = await client.POST(ADDRESS, { body });
    await refresh(ADDRESS);
    return show(data.token);
  });
  return (
    <Form submission={{ ...submission, error: undefined }} action={t.submit}>
      <LabelField form={form} />
      <TokenError error={error} limit={t.tooMany} />
    </Form>
  );
}
