import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { writtenText } from '../../components/direction.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { showNotice } from '../../components/notices.ts';
import { useDone } from '../../components/notify.ts';
import { useContactTexts } from '../../features/imports/texts.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

interface NamedList {
  readonly id: string;
  readonly columns: readonly string[];
}

/** A contact with its fields; fields without a value are null. */
interface ListedContact {
  readonly phone: string;
  readonly fields: readonly (string | null)[];
}

/** Fields of a contact, at most. */
const MAX_FIELDS = 6;

/** Adds a contact to a list, or edits its fields. The number identifies the contact and cannot be changed. */
export function ContactForm({
  list,
  contact,
}: {
  readonly list: NamedList;
  readonly contact?: ListedContact;
}) {
  const t = useContactTexts();
  const { common } = useTexts();
  const done = useDone();
  const refresh = useRefresh();
  const count = Math.min(MAX_FIELDS, Math.max(list.columns.length, contact?.fields.length ?? 0, 1));
  const names = Array.from({ length: count }, (_, index) => list.columns[index] ?? '');
  const form = useForm({
    initialValues: {
      phone: contact?.phone ?? '',
      fields: names.map((_, index) => contact?.fields[index] ?? ''),
    },
  });
  const submission = useSubmission(
    form,
    async (values) => {
      const data = await client.POST('/v1/contact-lists/{id}/contacts', {
        ...byId(list.id),
        body: { contacts: [values], replace: contact !== undefined },
      });
      if (contact) await done(t.contactChanged);
      else if (data.added === 1) await done(t.added);
      else showNotice({ message: t.present, color: 'orange' });
      await refresh('/v1/contact-lists/{id}/contacts', '/v1/contact-lists/{id}', '/v1/contacts');
    },
    { 'contacts[0].phone': 'phone' },
  );
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={contact ? common.save : common.add}>
      {field.text('phone', t.phone, {
        required: true,
        focus: contact === undefined,
        inputMode: 'tel',
        readOnly: contact !== undefined,
      })}
      {names.map((name, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have one name
          key={index}
          label={name || t.field(index + 1)}
          {...writtenText}
          {...(contact && index === 0 && { 'data-autofocus': true })}
          maxLength={1000}
          {...form.getInputProps(`fields.${index}`)}
        />
      ))}
    </Form>
  );
}
