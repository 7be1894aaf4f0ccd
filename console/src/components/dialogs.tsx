import { Button, Group, Stack, Text } from '@mantine/core';
import { createContext, type ReactNode, Suspense, useContext, useMemo, useState } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';
import { LazyModal } from './lazy-modal.tsx';
import { ErrorNote } from './states.tsx';
import { useTask } from './task.ts';

interface Options {
  readonly size?: 'lg';
  /** Escape and clicks outside do not close the dialog: for secrets that are shown only once. */
  readonly sticky?: boolean;
  /** After it was closed, however that was. */
  readonly onClose?: () => void;
}

interface Question {
  readonly title: string;
  readonly text: ReactNode;
  /** Label of the confirming button: the action, not "OK". */
  readonly action: string;
  /** Label of the button that cancels a destructive action, such as "Keep template"; the default is "Back". */
  readonly keep?: string | undefined;
  /** After it was left, and after it was done. */
  readonly onClose?: () => void;
  /** The dialog stays open while this runs and shows its error; it also stays open when this returns false. */
  readonly run: (dialog: Dialog) => Promise<unknown>;
}

interface Dialog {
  readonly close: () => void;
  /** Replaces the content with the next step. Returns false, so that the submission does not close the dialog. */
  readonly show: (title: string, body: ReactNode, options?: Options) => false;
}

interface Dialogs {
  /** Shows something in a dialog, above those that are open. It closes itself by `useDialog()`. */
  readonly open: (title: string, body: ReactNode, options?: Options) => void;
  /** Asks before something that cannot be undone. */
  readonly ask: (question: Question) => void;
}

interface Shown extends Options {
  readonly id: number;
  readonly opened: boolean;
  readonly title: string;
  readonly body: ReactNode;
}

const DialogsContext = createContext<Dialogs | undefined>(undefined);
const DialogContext = createContext<Dialog | undefined>(undefined);

export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext);
  if (!dialogs) throw new Error('useDialogs needs a DialogsProvider');
  return dialogs;
}

/** The dialog that contains the component; undefined outside of dialogs. */
export const useDialog = () => useContext(DialogContext);

/** Shows the dialogs of what is inside it, and closes them when that goes. */
export function DialogsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const dialogs = useMemo((): Dialogs => {
    let last = 0;
    const open: Dialogs['open'] = (title, body, options) => {
      const id = ++last;
      setShown((before) => [...before, { ...options, id, opened: true, title, body }]);
    };
    const ask: Dialogs['ask'] = ({ onClose, ...question }) =>
      open(question.title, <Ask {...question} />, { ...(onClose && { onClose }) });
    return { open, ask };
  }, []);
  const change = (id: number, changes: Partial<Shown>) =>
    setShown((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const dialogOf = ({ id, onClose }: Shown): Dialog => ({
    close: () => {
      change(id, { opened: false });
      onClose?.();
    },
    show: (title, body, options) => {
      change(id, { ...options, title, body });
      return false;
    },
  });
  return (
    <DialogsContext value={dialogs}>
      {children}
      {shown.map((one) => (
        <Suspense key={one.id}>
          <LazyModal
            opened={one.opened}
            onClose={dialogOf(one).close}
            onExitTransitionEnd={() => setShown((all) => all.filter(({ id }) => id !== one.id))}
            title={one.title}
            {...(one.size && { size: one.size })}
            closeOnClickOutside={!one.sticky}
            closeOnEscape={!one.sticky}
          >
            <DialogContext value={dialogOf(one)}>{one.body}</DialogContext>
          </LazyModal>
        </Suspense>
      ))}
    </DialogsContext>
  );
}

function Ask({ text, action, keep, run: work }: Omit<Question, 'onClose'>) {
  const { common } = useTexts();
  const dialog = useDialog()!;
  const { busy, error, run } = useTask(async () => {
    if ((await work(dialog)) !== false) dialog.close();
  });
  return (
    <Stack>
      <Text component="div" size="sm">
        {text}
      </Text>
      <ErrorNote error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={dialog.close}>
          {keep ?? common.back}
        </Button>
        <Button {...(keep !== undefined && { color: 'red' })} loading={busy} onClick={() => void run()}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
