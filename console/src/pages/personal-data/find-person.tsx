import { SimpleGrid, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Form, hintBelow, useSubmission } from '../../components/form.tsx';
import type { Found } from './found-person.tsx';
import { usePersonalDataTexts } from './texts.ts';

const MAX_IDENTIFIERS = 20;

/**
 * Maps field names of the service to those of the form: the service names the single number, while the form has one input
 * for all.
 */
const names = Object.fromEntries(
  ['phones', 'emails', 'chat_ids'].flatMap((field) =>
    Array.from({ length: MAX_IDENTIFIERS }, (_, index) => [`${field}[${index}]`, field]),
  ),
) as Readonly<Record<string, string>>;

/** Asks for the numbers and addresses of a person, and what there is about them. */
export function FindPerson({ onFound }: { readonly onFound: (found: Found | undefined) => void }) {
  const t = usePersonalDataTexts();
  const form = useForm({
    initialValues: { phones: [] as string[], emails: [] as string[], chat_ids: [] as string[] },
  });
  const submission = useSubmission(
    form,
    async (person) => {
      onFound(undefined);
      const data = await client.POST('/v1/data-subjects/search', { body: person });
      onFound({ person, answer: data });
    },
    names,
  );
  const identifiers = { maxTags: MAX_IDENTIFIERS, dir: 'ltr', splitChars: [',', ';', '\n'] };
  return (
    <Card title={t.find} lead={t.findHint}>
      <Form submission={submission} action={t.search} narrow>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          <TagsInput label={t.phones} inputMode="tel" {...identifiers} {...form.getInputProps('phones')} />
          <TagsInput label={t.emails} inputMode="email" {...identifiers} {...form.getInputProps('emails')} />
          <TagsInput
            label={t.chatIds}
            description={t.chatIdsHint}
            {...hintBelow}
            {...identifiers}
            {...form.getInputProps('chat_ids')}
          />
        </SimpleGrid>
      </Form>
    </Card>
  );
}
