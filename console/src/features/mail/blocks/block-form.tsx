import {
  ActionIcon,
  Group,
  NumberInput,
  SegmentedControl,
  Slider,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { Braces } from 'lucide-react';
import type { ReactNode } from 'react';
import { writtenText } from '../../../components/direction.ts';
import { hintBelow } from '../../../components/form.tsx';
import { Muted } from '../../../components/text.tsx';
import { useTexts } from '../../../i18n/use-texts.tsx';
import { ChoosePicture } from '../../pictures/choose-picture.tsx';
import { FieldMenu } from '../field-menu.tsx';
import {
  type Align,
  aligns,
  type Direction,
  type Footer,
  type Heading,
  type Leaf,
  type Picture,
  type PushButton,
} from './design.ts';
import { addressOf, inkOn, webAddress } from './render.ts';
import { RichTextField } from './rich-text.tsx';

/** Settings shared by all blocks of an email. */
export interface MailLook {
  readonly direction: Direction;
  readonly color: string;
  /** Names of further fields that the recipients have. */
  readonly columns: readonly string[];
}

interface Props<B extends Leaf> {
  readonly block: B;
  readonly onChange: (block: Leaf) => void;
  readonly mail: MailLook;
  /** Whether its settings are shown. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** A block as it looks, with its settings when it is open. */
export function BlockForm({ block, ...props }: Props<Leaf>) {
  const { mailEditor: t } = useTexts();
  const { onChange, mail } = props;
  switch (block.type) {
    case 'heading':
      return <HeadingForm {...props} block={block} />;
    case 'text':
      return (
        <Stack gap="xs">
          <RichTextField
            label={t.kinds.text}
            doc={block.doc}
            onChange={(doc) => onChange({ ...block, doc })}
            {...mail}
          />
          {props.isOpen && <AlignChoice block={block} onChange={onChange} />}
        </Stack>
      );
    case 'image':
      return <PictureForm {...props} block={block} />;
    case 'button':
      return <ButtonForm {...props} block={block} />;
    case 'divider':
      return <hr className="mail-block-line" />;
    case 'spacer':
      return (
        <NumberInput
          label={t.height}
          size="xs"
          w={120}
          min={4}
          max={200}
          value={block.height}
          onChange={(height) => typeof height === 'number' && onChange({ ...block, height })}
        />
      );
    case 'footer':
      return <FooterForm {...props} block={block} />;
  }
}

function HeadingForm({ block, onChange, mail, isOpen }: Props<Extract<Leaf, Heading>>) {
  const { mailEditor: t } = useTexts();
  return (
    <Stack gap="xs">
      <Written
        label={t.kinds.heading}
        value={block.text}
        className={`mail-heading mail-heading-${block.level}`}
        mail={mail}
        onChange={(text) => onChange({ ...block, text })}
      />
      {isOpen && (
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label={t.level}
            value={String(block.level)}
            onChange={(level) => onChange({ ...block, level: Number(level) as 1 | 2 | 3 })}
            data={([1, 2, 3] as const).map((level) => ({ value: String(level), label: t.levels[level] }))}
          />
          <AlignChoice block={block} onChange={onChange} />
        </Group>
      )}
    </Stack>
  );
}

/** Whether the policy of the console permits an image: over TLS, or from this service. */
const isShowable = (url: string) => /^https:/i.test(url) || url.startsWith(`${location.origin}/`);

function PictureForm({ block, onChange, isOpen, onOpen }: Props<Extract<Leaf, Picture>>) {
  const { mailEditor: t } = useTexts();
  const url = webAddress(block.url);
  return (
    <Stack gap="xs">
      <Shown label={t.settingsOf(t.kinds.image)} align={block.align} isOpen={isOpen} onOpen={onOpen}>
        {isShowable(url) ? (
          <img src={url} alt={block.alt} style={{ width: `${block.width}%` }} />
        ) : (
          <Muted size="xs">{t.noImage}</Muted>
        )}
      </Shown>
      {isOpen && (
        <>
          <AddressField
            label={t.imageUrl}
            value={block.url}
            isGood={(given) => webAddress(given) !== ''}
            onChange={(changed) => onChange({ ...block, url: changed })}
          />
          <div>
            <ChoosePicture onChosen={(picture) => onChange({ ...block, url: picture.url })} />
          </div>
          <TextInput
            label={t.alt}
            description={t.altHint}
            {...hintBelow}
            {...writtenText}
            size="xs"
            maxLength={300}
            value={block.alt}
            onChange={(event) => onChange({ ...block, alt: event.currentTarget.value })}
          />
          <AddressField
            label={t.imageLink}
            value={block.href}
            onChange={(href) => onChange({ ...block, href })}
          />
          <Group gap="md" align="flex-end">
            <div className="mail-width">
              <Text size="xs" id={`width-${block.id}`}>
                {t.width(block.width)}
              </Text>
              <Slider
                aria-labelledby={`width-${block.id}`}
                thumbProps={{ 'aria-labelledby': `width-${block.id}` }}
                label={null}
                min={10}
                max={100}
                step={5}
                value={block.width}
                onChange={(width) => onChange({ ...block, width })}
              />
            </div>
            <AlignChoice block={block} onChange={onChange} />
          </Group>
        </>
      )}
    </Stack>
  );
}

function ButtonForm({ block, onChange, mail, isOpen, onOpen }: Props<Extract<Leaf, PushButton>>) {
  const { mailEditor: t } = useTexts();
  return (
    <Stack gap="xs">
      <Shown label={t.settingsOf(t.kinds.button)} align={block.align} isOpen={isOpen} onOpen={onOpen}>
        <span className="mail-push" style={{ background: mail.color, color: inkOn(mail.color) }} dir="auto">
          {block.text.trim() || t.noButtonText}
        </span>
      </Shown>
      {isOpen && (
        <>
          <Written
            label={t.buttonText}
            shownLabel
            value={block.text}
            mail={mail}
            onChange={(text) => onChange({ ...block, text })}
          />
          <AddressField label={t.address} value={block.url} onChange={(url) => onChange({ ...block, url })} />
          <AlignChoice block={block} onChange={onChange} />
        </>
      )}
    </Stack>
  );
}

function FooterForm({ block, onChange, mail }: Props<Extract<Leaf, Footer>>) {
  const { mailEditor: t } = useTexts();
  return (
    <Stack gap="xs">
      <Textarea
        label={t.footerText}
        description={t.footerHint}
        {...hintBelow}
        {...writtenText}
        size="xs"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        value={block.text}
        onChange={(event) => onChange({ ...block, text: event.currentTarget.value })}
      />
      <Written
        label={t.unsubscribeText}
        shownLabel
        value={block.unsubscribe}
        mail={mail}
        onChange={(unsubscribe) => onChange({ ...block, unsubscribe })}
      />
    </Stack>
  );
}

/** Preview of a block; a click opens its settings. */
function Shown({
  label,
  align,
  isOpen,
  onOpen,
  children,
}: {
  readonly label: string;
  readonly align: Align;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) {
  return (
    <UnstyledButton className="mail-block-shown" data-align={align} aria-expanded={isOpen} onClick={onOpen}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {children}
    </UnstyledButton>
  );
}

/** A line of text, into which fields can be put. */
function Written({
  label,
  shownLabel = false,
  value,
  onChange,
  mail,
  className,
}: {
  readonly label: string;
  readonly shownLabel?: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly mail: MailLook;
  readonly className?: string;
}) {
  const { mailCampaigns: t } = useTexts();
  return (
    <TextInput
      {...(shownLabel ? { label } : { 'aria-label': label, placeholder: label })}
      {...writtenText}
      size="xs"
      maxLength={500}
      {...(className !== undefined && { className })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <FieldMenu columns={mail.columns} onInsert={(text) => onChange(value + text)}>
          <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`${t.insertField}: ${label}`}>
            <Braces size={15} aria-hidden />
          </ActionIcon>
        </FieldMenu>
      }
    />
  );
}

function AddressField({
  label,
  value,
  onChange,
  isGood = (given) => addressOf(given) !== '',
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (address: string) => void;
  readonly isGood?: (given: string) => boolean;
}) {
  const { mailEditor: t } = useTexts();
  return (
    <TextInput
      label={label}
      size="xs"
      dir="ltr"
      inputMode="url"
      placeholder="https://"
      maxLength={2_000}
      value={value}
      error={value.trim() === '' || isGood(value) ? undefined : t.badAddress}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function AlignChoice<B extends Extract<Leaf, { readonly align: Align }>>({
  block,
  onChange,
}: {
  readonly block: B;
  readonly onChange: (block: B) => void;
}) {
  const { mailEditor: t } = useTexts();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t.align}
      value={block.align}
      onChange={(align) => onChange({ ...block, align })}
      data={aligns.map((value) => ({ value, label: t.aligns[value] }))}
    />
  );
}
