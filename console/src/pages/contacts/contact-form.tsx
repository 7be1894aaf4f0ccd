import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { byId, client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { writtenText } from '../../components/direction.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/texts.tsx';

interface NamedList {
  readonly id: string;
  readonly columns: readonly string[];
}

/** Adds one contact to a list. */
export function ContactForm({ list }: { readonly list: NamedList }) {
  const { contacts: t, common } = useTexts();
  const done = useDone();
  const refresh = useRefresh();
  const form = useForm({ initialValues: { phone: '', fields: list.columns.map(() => '') } });
  const submission = useSubmission(
    form,
    async (contact) => {
      const { data } = await client.POST('/v1/contact-lists/{id}/contacts', {
        ...byId(list.id),
        body: { contacts: [contact] },
      });
      if (data!.added === 1) await done(t.added);
      else notifications.show({ message: t.present, color: 'orange' });
      await refresh('/v1/contact-lists/{id}/contacts', '/v1/contact-lists/{id}');
    },
    { 'contacts[0].phone': 'phone' },
  );
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={common.add}>
      {field.text('phone', t.phone, { required: true, focus: true, inputMode: 'tel' })}
      {list.columns.map((name, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have one name
          key={index}
          label={name || t.field(index + 1)}
          {...writtenText}
          maxLength={1000}
          {...form.getInputProps(`fields.${index}`)}
        />
      ))}
    </Form>
  );
}
