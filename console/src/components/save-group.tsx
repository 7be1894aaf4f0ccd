import { Button, Group, Paper, Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';

type Report = (id: string, changed: HTMLFormElement | null) => void;
const SaveGroupContext = createContext<Report | undefined>(undefined);

/** Forms of a page with one button, which saves those that were changed. */
export function SaveGroup({ children }: { readonly children: ReactNode }) {
  const { common } = useTexts();
  const [changed, setChanged] = useState<ReadonlyMap<string, HTMLFormElement>>(new Map());
  const report = useCallback<Report>((id, form) => {
    setChanged((before) => {
      const after = new Map(before);
      if (form) after.set(id, form);
      else after.delete(id);
      return after;
    });
  }, []);
  function saveAll() {
    for (const form of changed.values()) form.requestSubmit();
  }
  return (
    <SaveGroupContext value={report}>
      {children}
      {changed.size > 0 && (
        <Paper
          withBorder
          shadow="md"
          p="sm"
          component="section"
          className="save-bar"
          aria-label={common.unsaved}
        >
          <Group justify="space-between">
            <Text size="sm">{common.unsaved}</Text>
            <Button onClick={saveAll}>{common.save}</Button>
          </Group>
        </Paper>
      )}
    </SaveGroupContext>
  );
}

/** Reports to the group around a form whether the form was changed. Returns whether there is a group. */
export function useSaveGroup(form: { readonly current: HTMLFormElement | null }, isDirty: boolean): boolean {
  const report = useContext(SaveGroupContext);
  const id = useId();
  useEffect(() => {
    report?.(id, isDirty ? form.current : null);
    return () => report?.(id, null);
  }, [report, id, form, isDirty]);
  return report !== undefined;
}
