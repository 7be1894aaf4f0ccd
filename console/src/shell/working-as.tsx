import { Button, Group, Text } from '@mantine/core';
import { Undo2, UserRoundCheck } from 'lucide-react';
import { useSession } from '../api/session-context.ts';
import { useActFor } from '../components/use-act-for.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Says above every page for whom one works, when that is not one's own account, and ends it. */
export function WorkingAs() {
  const { shell } = useTexts();
  const { account, acting, role } = useSession();
  const actFor = useActFor();
  if (!acting || account === null) return null;
  return (
    <section className="working-as" aria-label={shell.workingAs}>
      <Group gap="xs" wrap="nowrap">
        <UserRoundCheck size={17} aria-hidden />
        <Text size="sm" lineClamp={1}>
          {shell.workingAs}{' '}
          <bdi>
            <b>{account.name}</b>
          </bdi>
          {account.username !== account.name && (
            <>
              {' · '}
              <bdi>{account.username}</bdi>
            </>
          )}
        </Text>
      </Group>
      <Button
        size="compact-sm"
        variant="white"
        leftSection={<Undo2 size={15} className="mirrored" aria-hidden />}
        onClick={() => void actFor(null)}
      >
        {role === 'operator' ? shell.stopWorkingAs : shell.ownAccount}
      </Button>
    </section>
  );
}
