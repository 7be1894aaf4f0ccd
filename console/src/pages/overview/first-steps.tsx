import { ActionIcon, Group } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { ArrowRight, Circle, CircleCheck, X } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const steps = {
  sender: '/sources',
  send: '/send',
  contacts: '/contacts',
  token: '/tokens',
  webhook: '/webhooks',
  factor: '/settings#second-factor',
} as const;
type Step = keyof typeof steps;

/** Setup steps of an account, for owners, until all are done or the card is dismissed in this browser. */
export function FirstSteps() {
  const isOwner = useMay('owner');
  const { account } = useSession();
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({
    key: 'carillon-first-steps-hidden',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const id = account?.id ?? '';
  if (!isOwner || hidden.includes(id)) return null;
  return <Steps onHide={() => setHidden([...hidden, id])} />;
}

function Steps({ onHide }: { readonly onHide: () => void }) {
  const { overview, common } = useTexts();
  const { firstSteps: t } = overview;
  const done = useDoneSteps();
  if (done === undefined) return null;
  const all = (Object.keys(steps) as Step[]).filter((step) => done[step] !== undefined);
  const count = all.filter((step) => done[step]).length;
  if (count === all.length) return null;
  return (
    <Card
      title={t.title}
      lead={t.done(count, all.length)}
      actions={
        <ActionIcon variant="subtle" color="gray" aria-label={t.hide} title={common.close} onClick={onHide}>
          <X size={17} />
        </ActionIcon>
      }
    >
      <ul className="first-steps">
        {all.map((step) => (
          <li key={step} data-done={done[step] || undefined}>
            {done[step] ? (
              <CircleCheck size={19} role="img" aria-label={t.isDone} />
            ) : (
              <Circle size={19} role="img" aria-label={t.isOpen} />
            )}
            <div>
              {done[step] ? (
                t.steps[step].title
              ) : (
                <TextLink href={steps[step]} fw={600} size="sm">
                  <Group gap={4} component="span">
                    {t.steps[step].title} <ArrowRight size={14} className="mirrored" aria-hidden />
                  </Group>
                </TextLink>
              )}
              {!done[step] && <Muted size="xs">{t.steps[step].hint}</Muted>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Completed steps, without those that this service does not need; undefined while they load. */
function useDoneSteps(): Readonly<Record<Step, boolean | undefined>> | undefined {
  const { second_factor: factor } = useSession();
  const { data } = useAnswer('/v1/first-steps');
  if (!data) return undefined;
  const { sender_needed: isSenderNeeded, sender, ...others } = data;
  return { ...others, sender: isSenderNeeded ? sender : undefined, factor };
}
