import { ActionIcon, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Editor, EditorContent, type JSONContent, useEditor, useEditorState } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { Bold, Braces, Italic, Link, List, ListOrdered, type LucideIcon, Unlink } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useDialogs } from '../../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../../components/form.tsx';
import { useTexts } from '../../../i18n/use-texts.tsx';
import { FieldMenu } from '../field-menu.tsx';
import { type Direction, readDoc } from './design.ts';
import { addressOf } from './render.ts';

/** Formatting that mail programs display consistently: paragraphs, lists, bold, italic and links. */
const extensions = [
  StarterKit.configure({
    heading: false,
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    strike: false,
    underline: false,
    link: {
      openOnClick: false,
      autolink: false,
      isAllowedUri: (url) => addressOf(url) !== '',
      HTMLAttributes: { target: null, rel: null },
    },
  }),
];

/** Text that is written as it looks. `doc` is a document of `readDoc`. */
export function RichTextField({
  label,
  doc,
  onChange,
  direction,
  columns,
}: {
  readonly label: string;
  readonly doc: JSONContent;
  readonly onChange: (doc: JSONContent) => void;
  readonly direction: Direction;
  readonly columns: readonly string[];
}) {
  const change = useRef(onChange);
  change.current = onChange;
  const known = useRef(JSON.stringify(doc));
  const editor = useEditor({
    extensions,
    content: doc,
    // The policy of the page forbids injected style sheets; blocks.css has the necessary rules.
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: direction },
    },
    onUpdate({ editor: changed }) {
      const written = readDoc(changed.getJSON());
      known.current = JSON.stringify(written);
      change.current(written);
    },
  });
  // The editor switched to another email.
  const text = JSON.stringify(doc);
  useEffect(() => {
    if (text === known.current) return;
    known.current = text;
    editor.commands.setContent(JSON.parse(text) as JSONContent, { emitUpdate: false });
  }, [editor, text]);
  useEffect(() => {
    editor.setOptions({
      editorProps: {
        attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, dir: direction },
      },
    });
  }, [editor, label, direction]);
  return (
    <div className="mail-rich-text">
      <Toolbar editor={editor} columns={columns} />
      <EditorContent editor={editor} />
    </div>
  );
}

function Toolbar({ editor, columns }: { readonly editor: Editor; readonly columns: readonly string[] }) {
  const { mailEditor: t, mailCampaigns } = useTexts();
  const { open } = useDialogs();
  const active = useEditorState({
    editor,
    selector: ({ editor: one }) => ({
      bold: one.isActive('bold'),
      italic: one.isActive('italic'),
      link: one.isActive('link'),
      bulletList: one.isActive('bulletList'),
      orderedList: one.isActive('orderedList'),
    }),
  });
  const button = (Icon: LucideIcon, label: string, onClick: () => void, pressed?: boolean) => (
    <ActionIcon
      size="sm"
      variant={pressed ? 'light' : 'subtle'}
      color={pressed ? 'verdigris' : 'gray'}
      aria-label={label}
      title={label}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      // Keeps the focus in the text, so that typing right after the click goes there.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
  const askLink = () =>
    open(
      t.link,
      <LinkForm
        initial={String(editor.getAttributes('link').href ?? '')}
        save={(href) => {
          const isBare = editor.state.selection.empty && !active.link;
          const mark = { type: 'link', attrs: { href } };
          if (isBare) editor.commands.insertContent({ type: 'text', text: href, marks: [mark] });
          else editor.chain().extendMarkRange('link').setLink({ href }).run();
        }}
      />,
    );
  return (
    <Group role="toolbar" aria-label={t.formatting} gap={2} className="mail-rich-tools">
      {button(Bold, t.bold, () => editor.chain().focus().toggleBold().run(), active.bold)}
      {button(Italic, t.italic, () => editor.chain().focus().toggleItalic().run(), active.italic)}
      {button(Link, t.link, askLink, active.link)}
      {active.link &&
        button(Unlink, t.unlink, () => editor.chain().focus().extendMarkRange('link').unsetLink().run())}
      {button(List, t.bullets, () => editor.chain().focus().toggleBulletList().run(), active.bulletList)}
      {button(
        ListOrdered,
        t.numbers,
        () => editor.chain().focus().toggleOrderedList().run(),
        active.orderedList,
      )}
      <FieldMenu
        columns={columns}
        onInsert={(text) => editor.chain().focus().insertContent({ type: 'text', text }).run()}
      >
        {button(Braces, mailCampaigns.insertField, () => undefined)}
      </FieldMenu>
    </Group>
  );
}

function LinkForm({ initial, save }: { readonly initial: string; readonly save: (address: string) => void }) {
  const { mailEditor: t } = useTexts();
  const form = useForm({
    initialValues: { url: initial },
    validate: { url: (url) => (addressOf(url) === '' ? t.badAddress : null) },
  });
  const submission = useSubmission(form, async ({ url }) => save(addressOf(url)));
  return (
    <Form submission={submission} action={t.linkSave}>
      {fieldsOf(form).text('url', t.address, { hint: t.addressHint, focus: true, maxLength: 2_000 })}
    </Form>
  );
}
