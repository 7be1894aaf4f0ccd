import { ArrowLeftRight, CirclePause, CirclePlay, KeyRound, LogIn } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useActFor } from '../../components/use-act-for.ts';
import { ProgramPassword } from '../../features/credentials/program-password.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { SUBSCRIBER, SUBSCRIBERS, type Subscriber } from './subscriber.tsx';
import { useSubscriberTexts } from './texts.ts';
import { TransferForm } from './transfer.tsx';

/** Owner's actions on a subscriber. */
export function SubscriberActions({ subscriber }: { readonly subscriber: Subscriber }) {
  const t = useSubscriberTexts();
  const { common } = useTexts();
  const { id, username, name, suspended } = subscriber;
  const done = useDone();
  const attempt = useAttempt();
  const actFor = useActFor();
  const { open, ask } = useDialogs();
  const path = byId(id);
  async function lift() {
    await attempt(async () => {
      await client.POST('/v1/subscribers/{id}/lift', path);
      await done(t.lifted(name), SUBSCRIBERS, SUBSCRIBER);
    });
  }
  const stop = () =>
    ask({
      title: t.stopTitle(name),
      text: t.stopText,
      action: t.stop,
      keep: common.keeps.active,
      run: async () => {
        await client.POST('/v1/subscribers/{id}/suspend', path);
        await done(t.stopped(name), SUBSCRIBERS, SUBSCRIBER);
      },
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        {
          icon: ArrowLeftRight,
          label: t.transfer,
          onClick: () => open(t.transferTitle(name), <TransferForm subscriber={subscriber} />),
        },
        {
          icon: LogIn,
          mirrored: true,
          label: t.actFor,
          onClick: () => void actFor({ id, username, name }),
        },
        {
          icon: KeyRound,
          label: t.programPassword,
          onClick: () => open(t.programPasswordOf(name), <ProgramPassword username={username} />),
        },
        'divider',
        suspended
          ? { icon: CirclePlay, label: t.lift, onClick: () => void lift() }
          : { icon: CirclePause, label: t.stop, danger: true, onClick: stop },
      ]}
    />
  );
}
