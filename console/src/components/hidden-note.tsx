import { Group, Text } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { type FieldKind, fieldRules, maySee } from '../../../server/api/access/fields.ts';
import { useSession } from '../api/session-context.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Whether the service masks fields of a kind in what the signed-in person reads. */
export function useHides(kind: FieldKind): boolean {
  const { role } = useSession();
  return !maySee(kind, { kind: 'person', role, lacksSecondFactor: false, proven: true });
}

/** Says which fields are masked for the reader, and which role sees them. Renders nothing for those who see them. */
export function HiddenNote({ kind }: { readonly kind: FieldKind }) {
  const { common, shell } = useTexts();
  const hides = useHides(kind);
  const [role = 'operator'] = fieldRules[kind].roles;
  if (!hides) return null;
  return (
    <Group gap={6} wrap="nowrap" c="dimmed" role="note">
      <EyeOff size={15} aria-hidden />
      <Text size="sm">{common.hidden.note(common.hidden.kinds[kind], shell.roles[role])}</Text>
    </Group>
  );
}
