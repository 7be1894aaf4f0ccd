import { Button, Group, Select, Stack } from '@mantine/core';
import { LayoutTemplate } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import type { ReplyBody } from '../../api/conversation-queries.ts';
import { CarillonError } from '../../api/errors.ts';
import { useAnswer } from '../../api/queries.ts';
import type { ChatContent } from '../../api/sandbox-phone.ts';
import { useDialog } from '../../components/dialogs.tsx';
import { Empty, ErrorNote, Fetched, problemText } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { amountText } from '../../components/values.tsx';
import {
  buttonsBody,
  buttonsProblems,
  carouselBody,
  carouselProblems,
  noButtons,
  noCarousel,
  type Problems,
  shownCarousel,
  shownMessage,
} from '../../features/composing/free-form.ts';
import { ButtonsFields, CarouselFields } from '../../features/composing/free-form-fields.tsx';
import { TemplateFields } from '../../features/composing/template-fields.tsx';
import {
  filledContent,
  lacksValues,
  needsOf,
  noValues,
  templateBody,
} from '../../features/composing/template-values.ts';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import type { Template } from '../../features/templates/template-data.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { OpenConversation } from './conversation.ts';
import { sendReply } from './outbox.ts';

/* Replies that are composed in a dialog: a template, a message with buttons, a carousel. */

const MAX_TEMPLATES = 500;

interface DialogProps {
  readonly conversation: Pick<OpenConversation, 'id' | 'sender'>;
  readonly onSent: () => void;
}

/** Cost of a reply; undefined while the reply is incomplete. */
const useCost = (id: string, body: ReplyBody | undefined) =>
  useEstimate('reply-estimate', body, async (asked) => {
    const data = await client.POST('/v1/conversations/{id}/replies/estimate', {
      ...byId(id),
      body: asked,
    });
    return data;
  });

/** The fields of a reply, what the phone will show, what it costs, and the button that sends it. */
function ReplyDialog({
  conversation: { id, sender },
  onSent,
  body,
  content,
  cost: { data, error },
  refusal,
  onTried,
  children,
}: DialogProps & {
  /** Undefined while it is not whole. */
  readonly body: ReplyBody | undefined;
  /** Phone preview; undefined without content. */
  readonly content: ChatContent | undefined;
  readonly cost: ReturnType<typeof useCost>;
  /** Error that no field shows. */
  readonly refusal: unknown;
  /** One has tried to send what is not whole. */
  readonly onTried: () => void;
  readonly children: React.ReactNode;
}) {
  const { conversations: t } = useTexts();
  const language = useLanguage();
  const dialog = useDialog()!;
  function send() {
    if (!body || !content) {
      onTried();
      return;
    }
    dialog.close();
    void sendReply(id, body, content).then(onSent);
  }
  return (
    <Stack>
      {children}
      {content && (
        <div className="reply-preview">
          <PhonePreview channel="chat" sender={sender} content={content} />
        </div>
      )}
      <ErrorNote error={refusal} />
      <Group justify="space-between">
        <Muted role="status">
          {data && (data.enough ? t.cost(amountText(data.cost, language)) : t.notEnough)}
        </Muted>
        <Button onClick={send} disabled={error !== null}>
          {t.send}
        </Button>
      </Group>
    </Stack>
  );
}

/** Chooses an approved template, fills it in and sends it. */
export function TemplateReply(props: DialogProps) {
  const { conversations: t } = useTexts();
  const templates = useAnswer('/v1/chat/templates', {
    query: { phone: props.conversation.sender, limit: MAX_TEMPLATES },
  });
  return (
    <Fetched query={templates}>
      {({ templates: all }) => {
        const usable = all.filter(({ usable }) => usable).map((one) => one as Template);
        return usable.length === 0 ? (
          <Empty icon={LayoutTemplate} title={t.noTemplates} />
        ) : (
          <ComposeTemplate {...props} templates={usable} />
        );
      }}
    </Fetched>
  );
}

function ComposeTemplate({ templates, ...props }: DialogProps & { readonly templates: readonly Template[] }) {
  const texts = useTexts();
  const { conversations: t } = texts;
  const [chosen, setChosen] = useState<string | null>(null);
  const [values, setValues] = useState(noValues);
  const [isTried, setTried] = useState(false);
  const template = templates.find(({ template_id }) => template_id === chosen);
  const needs = template && needsOf(template);
  const lacks = needs === undefined || lacksValues(needs, values);
  const body = template && !lacks ? { template: templateBody(template, values) } : undefined;
  const cost = useCost(props.conversation.id, body);
  return (
    <ReplyDialog
      {...props}
      body={body}
      content={template && filledContent(template, values, texts)}
      cost={cost}
      refusal={cost.error}
      onTried={() => setTried(true)}
    >
      <Select
        label={t.template}
        dir="ltr"
        data-autofocus
        placeholder={t.chooseTemplate}
        searchable
        data={templates.map(({ template_id, name, language }) => ({
          value: template_id,
          label: `${name} · ${language}`,
        }))}
        value={chosen}
        onChange={(value) => {
          const header = templates.find(({ template_id }) => template_id === value)?.header;
          setChosen(value);
          setValues({ ...noValues, header: header && header.kind !== 'text' ? header.sample : '' });
          setTried(false);
        }}
        error={isTried && !template ? t.chooseTemplate : undefined}
      />
      {template && needs && (
        <TemplateFields
          template={template}
          needs={needs}
          values={values}
          onChange={setValues}
          fields={undefined}
        />
      )}
      {isTried && template && lacks && (
        <Muted role="alert" size="sm">
          {texts.send.valuesMissing}
        </Muted>
      )}
    </ReplyDialog>
  );
}

/** Visible problems of the fields: of an incomplete message after an attempt to send it, and of a refused request. */
function useFields(
  { conversation: { id } }: DialogProps,
  kind: 'buttons' | 'carousel',
  problems: Problems,
  whole: ReplyBody,
) {
  const texts = useTexts();
  const [isTried, setTried] = useState(false);
  const body = Object.values(problems).some(Boolean) ? undefined : whole;
  const cost = useCost(id, body);
  const { error } = cost;
  const field = error instanceof CarillonError ? error.field?.replace(`${kind}.`, '') : undefined;
  const isPlaced = field !== undefined && Object.hasOwn(problems, field);
  return {
    dialog: { body, cost, refusal: isPlaced ? null : error, onTried: () => setTried(true) },
    errorAt: (path: string): string | undefined => {
      if (isTried && problems[path] !== undefined) return problems[path];
      return isPlaced && field === path ? problemText(error as CarillonError, texts) : undefined;
    },
  };
}

/** A message with buttons. */
export function ButtonsReply(props: DialogProps) {
  const texts = useTexts();
  const [value, setValue] = useState(noButtons);
  const problems = buttonsProblems(texts, value);
  const { dialog, errorAt } = useFields(props, 'buttons', problems, { buttons: buttonsBody(value) });
  return (
    <ReplyDialog {...props} {...dialog} content={shownMessage(value)}>
      <ButtonsFields value={value} onChange={setValue} errorAt={errorAt} />
    </ReplyDialog>
  );
}

/** A carousel. */
export function CarouselReply(props: DialogProps) {
  const texts = useTexts();
  const [value, setValue] = useState(noCarousel);
  const problems = carouselProblems(texts, value);
  const { dialog, errorAt } = useFields(props, 'carousel', problems, { carousel: carouselBody(value) });
  return (
    <ReplyDialog {...props} {...dialog} content={shownCarousel(value)}>
      <CarouselFields value={value} onChange={setValue} errorAt={errorAt} />
    </ReplyDialog>
  );
}
