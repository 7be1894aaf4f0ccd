import { ActionIcon, Button, Group, Menu, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ArrowUp, ChevronDown, Copy, ExternalLink, Phone, Reply, Trash2 } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { writtenText } from '../../components/direction.ts';
import { hintBelow } from '../../components/form.tsx';
import type { ButtonKind, Draft } from '../../features/templates/template-data.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type Form = UseFormReturnType<Draft>;
type Ordinary = Exclude<ButtonKind, 'otp'>;

const most: Readonly<Record<Ordinary, number>> = { reply: 3, website: 2, call: 1, coupon: 1 };
const kinds = Object.keys(most) as Ordinary[];
const icons = { reply: Reply, website: ExternalLink, call: Phone, coupon: Copy, otp: Copy };

/** The buttons of a template: as many of each kind as there may be, in their order. */
export function ButtonsEditor({ form }: { readonly form: Form }) {
  const { templates: t } = useTexts();
  const { buttons, category } = form.values;
  const mayAdd = (kind: Ordinary) =>
    buttons.filter((button) => button.kind === kind).length < most[kind] &&
    (kind !== 'coupon' || category === 'marketing');
  return (
    <Card
      title={t.buttons}
      lead={t.buttonsHint}
      actions={
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              rightSection={<ChevronDown size={14} aria-hidden />}
              disabled={!kinds.some(mayAdd)}
            >
              {t.addButton}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => {
              const Icon = icons[kind];
              return (
                <Menu.Item
                  key={kind}
                  disabled={!mayAdd(kind)}
                  leftSection={<Icon size={15} aria-hidden />}
                  onClick={() =>
                    form.insertListItem('buttons', { kind, text: '', url: '', number: '', sample: '' })
                  }
                >
                  {t.buttonKinds[kind]}
                </Menu.Item>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      }
    >
      {form.errors.buttons && (
        <Text size="sm" c="red" role="alert">
          {form.errors.buttons}
        </Text>
      )}
      {buttons.length > 0 && (
        <Stack gap="sm">
          {buttons.map((button, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons have nothing but their place
            <OneButton key={index} form={form} index={index} kind={button.kind} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function OneButton({
  form,
  index,
  kind,
}: {
  readonly form: Form;
  readonly index: number;
  readonly kind: ButtonKind;
}) {
  const { templates: t } = useTexts();
  const Icon = icons[kind];
  const field = (name: 'text' | 'url' | 'number' | 'sample') =>
    form.getInputProps(`buttons.${index}.${name}`);
  const dynamic = form.values.buttons[index]?.url.endsWith('{{1}}') === true;
  return (
    <Paper
      withBorder
      p="sm"
      className="template-button"
      component="fieldset"
      m={0}
      aria-label={`${t.button(index + 1)}: ${t.buttonKinds[kind]}`}
    >
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Icon size={15} aria-hidden />
          <Text size="sm" fw={600}>
            {t.buttonKinds[kind]}
          </Text>
        </Group>
        <Group gap={2}>
          {index > 0 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t.moveUp(index + 1)}
              onClick={() => form.reorderListItem('buttons', { from: index, to: index - 1 })}
            >
              <ArrowUp size={15} aria-hidden />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t.removeButton(index + 1)}
            onClick={() => form.removeListItem('buttons', index)}
          >
            <Trash2 size={15} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {form.errors[`buttons.${index}`] && (
        <Text size="sm" c="red" role="alert">
          {form.errors[`buttons.${index}`]}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: kind === 'reply' || kind === 'coupon' ? 1 : 2 }} spacing="xs">
        {kind !== 'coupon' && (
          <TextInput label={t.buttonText} {...writtenText} maxLength={25} {...field('text')} />
        )}
        {kind === 'website' && (
          <TextInput
            label={t.url}
            description={t.urlHint}
            {...hintBelow}
            placeholder="https://"
            dir="ltr"
            {...field('url')}
          />
        )}
        {kind === 'website' && dynamic && (
          <TextInput label={t.urlSample} placeholder="https://" dir="ltr" {...field('sample')} />
        )}
        {kind === 'call' && (
          <TextInput label={t.number} placeholder="+972" dir="ltr" inputMode="tel" {...field('number')} />
        )}
        {kind === 'coupon' && (
          <TextInput label={t.coupon} dir="ltr" inputMode="numeric" maxLength={15} {...field('sample')} />
        )}
      </SimpleGrid>
    </Paper>
  );
}
