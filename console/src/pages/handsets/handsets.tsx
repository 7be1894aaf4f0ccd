import { Group, Paper, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Handset } from '../../features/handset/handset.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const MAX_PHONES = 6;
/** Phones shown initially; the first one is also used by the page "Get started". */
const firstPhones = ['0501234567', '0507654321'];

/** Sandbox phones side by side; the person adds and removes them. */
export default function Handsets() {
  const { handset } = useTexts();
  const [phones, setPhones] = useLocalStorage({ key: 'carillon-handsets', defaultValue: firstPhones });
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  function add() {
    const number = typed.replace(/[\s()-]/g, '');
    if (!/^\+?\d{8,15}$/.test(number)) {
      setProblem(handset.badNumber);
      return;
    }
    setPhones((before) => [number, ...before.filter((phone) => phone !== number)].slice(0, MAX_PHONES));
    setTyped('');
    setProblem(undefined);
  }
  return (
    <Page
      lead={handset.lead}
      actions={
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              aria-label={handset.addLabel}
              placeholder="0501234567"
              dir="ltr"
              inputMode="tel"
              value={typed}
              error={problem}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Action icon={Plus} type="submit">
              {handset.add}
            </Action>
          </Group>
        </form>
      }
    >
      {phones.length === 0 ? (
        <Paper withBorder>
          <Empty icon={Smartphone} hint={handset.emptyHint} />
        </Paper>
      ) : (
        <div className="handset-table">
          {phones.map((number) => (
            <Handset
              key={number}
              number={number}
              onClose={() => setPhones((before) => before.filter((phone) => phone !== number))}
            />
          ))}
        </div>
      )}
    </Page>
  );
}
