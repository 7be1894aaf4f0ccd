import { useParams, useSearchParams } from 'wouter';
import { byId } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched, Loading } from '../../components/states.tsx';
import { draftOf, emptyDraft } from '../../features/templates/template-data.ts';
import { useChatNumbers } from '../../features/templates/use-chat-numbers.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Editor } from './template-editor.tsx';

/** A new template (from nothing, or with `?from=` from another one), or with an id in the path the changes to one. */
export default function EditTemplate() {
  const { templates: t } = useTexts();
  const { id } = useParams<{ id?: string }>();
  const [search] = useSearchParams();
  const from = search.get('from');
  if (id !== undefined) return <Changed id={id} />;
  return (
    <Page title={t.newTemplate} lead={t.newLead}>
      {from === null ? <New /> : <BasedOn id={from} />}
    </Page>
  );
}

function New() {
  const { templates: t } = useTexts();
  const language = useLanguage();
  const numbers = useChatNumbers();
  const [first] = numbers.list;
  if (numbers.loading) return <Loading lines={8} />;
  if (!first) return <Empty title={t.noNumbers} hint={t.noNumbersHint} />;
  return <Editor initial={emptyDraft(first.phone, language)} />;
}

function BasedOn({ id }: { readonly id: string }) {
  const query = useAnswer('/v1/chat/templates/{id}', byId(id));
  return (
    <Fetched query={query}>
      {(template) => (
        // A name is used once; of what was rejected and never was on the platform it is free again.
        <Editor
          initial={{ ...draftOf(template), name: template.submitted ? `${template.name}_2` : template.name }}
        />
      )}
    </Fetched>
  );
}

function Changed({ id }: { readonly id: string }) {
  const { templates: t } = useTexts();
  const query = useAnswer('/v1/chat/templates/{id}', byId(id));
  return (
    <Fetched query={query}>
      {(template) => (
        <Page title={t.editTitle(template.name)} lead={t.editLead}>
          <Editor initial={draftOf(template)} editing={template.template_id} />
        </Page>
      )}
    </Fetched>
  );
}
