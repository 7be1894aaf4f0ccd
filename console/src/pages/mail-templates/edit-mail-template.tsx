import { useState } from 'react';
import { useParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Editor } from './mail-template-editor.tsx';

/** A new mail template or, with an id in the path, an existing one. */
export default function EditMailTemplate() {
  const { mailTemplates: t } = useTexts();
  const { id } = useParams<{ id?: string }>();
  if (id !== undefined) return <Existing key={id} id={id} />;
  return (
    <Page title={t.newTemplate} lead={t.newLead} back="/mail-templates">
      <Editor />
    </Page>
  );
}

function Existing({ id }: { readonly id: string }) {
  const { mailTemplates: t } = useTexts();
  const [reads, setReads] = useState(0);
  // No automatic refresh while editing: saving relies on the version that was loaded.
  const query = useAnswer('/v1/mail/templates/{id}', byId(id), {
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Fetched query={query}>
      {(template) => (
        <Page title={template.name} lead={t.editLead} back="/mail-templates">
          <Editor
            key={reads}
            template={template}
            reload={async () => {
              await query.refetch();
              setReads(reads + 1);
            }}
          />
        </Page>
      )}
    </Fetched>
  );
}
