import { Button, FileButton, Paper, Stack, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** A place to drop a file, or to choose one. */
export function ChooseFile({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const { file: t } = useTexts().common;
  const [over, setOver] = useState(false);
  return (
    <Paper
      withBorder
      p="xl"
      className="drop-file"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onChoose(file);
      }}
    >
      <Stack align="center" gap="xs">
        <FileUp size={36} aria-hidden />
        <Text fw={600}>{t.drop}</Text>
        <Muted ta="center">{t.hint}</Muted>
        <FileButton
          onChange={(file) => file && onChoose(file)}
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          inputProps={{ 'aria-label': t.choose }}
        >
          {(props) => <Button {...props}>{t.choose}</Button>}
        </FileButton>
      </Stack>
    </Paper>
  );
}
