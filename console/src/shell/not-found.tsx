import { Button } from '@mantine/core';
import { Compass, Lock } from 'lucide-react';
import { Link } from 'wouter';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

export function NotFound() {
  const { notFound } = useTexts().shell;
  return (
    <Page title={notFound.title}>
      <Empty
        icon={Compass}
        title={notFound.text}
        action={
          <Button component={Link} href="/">
            {notFound.home}
          </Button>
        }
      />
    </Page>
  );
}

export function NotAllowed() {
  const { notAllowed } = useTexts().shell;
  return (
    <Page title={notAllowed.title}>
      <Empty icon={Lock} title={notAllowed.text} />
    </Page>
  );
}
