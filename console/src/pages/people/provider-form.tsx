import { ActionIcon, Button, Fieldset, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Plus, Trash2 } from 'lucide-react';
import { useSession } from '../../api/session-context.ts';
import { choicesOf } from '../../components/choices.ts';
import { Copy } from '../../components/copy.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useProviderTexts } from './provider-texts.ts';
import { emptyRule, type Provider, saveProvider, valuesOf } from './providers.ts';
import { accountRoles, type Team } from './team.ts';
import { usePeopleTexts } from './texts.ts';

/** Adds a sign-in provider, or changes one. */
export function ProviderForm({ team, provider }: { readonly team: Team; readonly provider?: Provider }) {
  const t = useProviderTexts();
  const people = usePeopleTexts();
  const { common, shell } = useTexts();
  const { role } = useSession();
  const done = useDone();
  const mayDomains = role === 'operator';
  const form = useForm({ initialValues: valuesOf(provider) });
  const submission = useSubmission(
    form,
    async (values) => {
      await saveProvider(team, mayDomains, provider, values);
      await done(provider ? t.changed : t.added, team.providers);
    },
    { second_factor_values: 'factors' },
  );
  const field = fieldsOf(form);
  const roles = choicesOf(Object.fromEntries(accountRoles.map((one) => [one, shell.roles[one]])));
  return (
    <Form submission={submission} action={provider ? common.save : t.add}>
      {provider && <Addresses provider={provider} />}
      {field.text('name', t.name, { written: true, required: true, focus: true })}
      {field.text('slug', t.slug, { required: true, hint: t.slugHint })}
      {field.text('issuer', t.issuer, { required: true, type: 'url', hint: t.issuerHint })}
      {field.text('client_id', t.clientId, { required: true, autoComplete: 'off' })}
      <PasswordField
        label={t.clientSecret}
        description={provider?.has_client_secret ? t.clientSecretKept : t.clientSecretHint}
        required={false}
        autoComplete="off"
        {...form.getInputProps('client_secret')}
      />
      {field.text('scopes', t.scopes, { required: true })}
      <Fieldset legend={t.rules}>
        <Stack gap="sm">
          <Muted>{t.rulesHint}</Muted>
          {form.getValues().rules.map((_rule, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a rule and defines its order
            <Group key={i} gap="xs" align="flex-end">
              {field.text(`rules.${i}.claim`, t.claim, { placeholder: t.claimHint, w: 140 })}
              {field.text(`rules.${i}.value`, t.value, { w: 140 })}
              {team.operators &&
                field.text(`rules.${i}.account`, t.account, { placeholder: t.accountHint, w: 130 })}
              {(!team.operators || form.getValues().rules[i]!.account.trim() !== '') && (
                <NativeSelect
                  label={people.role}
                  data={roles}
                  w={130}
                  {...form.getInputProps(`rules.${i}.role`)}
                />
              )}
              <ActionIcon
                variant="subtle"
                color="red"
                size="lg"
                aria-label={t.removeRule(i + 1)}
                onClick={() => form.removeListItem('rules', i)}
              >
                <Trash2 size={18} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <div>
            <Button
              size="xs"
              variant="light"
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => form.insertListItem('rules', emptyRule)}
            >
              {t.addRule}
            </Button>
          </div>
        </Stack>
      </Fieldset>
      {field.toggle('makes_people', t.makesPeople)}
      {field.toggle('links_by_email', t.linksByEmail, t.linksHint)}
      {field.text('factors', t.factors, { hint: t.factorsHint })}
      {mayDomains && field.text('domains', t.domains, { hint: t.domainsHint })}
      {team.operators && field.toggle('listed', t.listed)}
      {field.toggle('enabled', t.enabled)}
    </Form>
  );
}

function Addresses({ provider }: { readonly provider: Provider }) {
  const t = useProviderTexts();
  const addresses = [
    [t.redirectUri, provider.redirect_uri],
    [t.logoutUri, provider.logout_uri],
    [t.signInUrl, provider.sign_in_url],
  ] as const;
  return (
    <Fieldset legend={t.addresses}>
      <Stack gap="xs">
        {addresses.map(([label, value]) => (
          <Group key={label} gap="xs" justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Muted>{label}</Muted>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <bdi dir="ltr">{value}</bdi>
              </Text>
            </div>
            <Copy value={value} />
          </Group>
        ))}
      </Stack>
    </Fieldset>
  );
}
