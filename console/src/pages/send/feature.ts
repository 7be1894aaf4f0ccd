import { AtSign, MessageSquareText, MessagesSquare, Phone, ShieldCheck } from 'lucide-react';
import { defineFeature } from '../../define-feature.ts';

export const sendFeature = defineFeature({
  pages: [
    {
      path: '/send',
      role: 'sender',
      load: () => import('./send.tsx'),
      title: (texts) => texts.shell.pages.send,
      navigation: { section: 'send', order: 1, label: (texts) => texts.shell.compose },
    },
  ],
  actions: [
    { icon: MessageSquareText, title: (texts) => texts.shell.command.sms, role: 'sender', href: '/send' },
    {
      icon: MessagesSquare,
      title: (texts) => texts.shell.command.chat,
      role: 'sender',
      href: '/send?channel=chat',
    },
    {
      icon: MessagesSquare,
      title: (texts) => texts.shell.command.buttons,
      role: 'sender',
      href: '/send?channel=chat&kind=buttons',
    },
    {
      icon: MessagesSquare,
      title: (texts) => texts.shell.command.carousel,
      role: 'sender',
      href: '/send?channel=chat&kind=carousel',
    },
    { icon: Phone, title: (texts) => texts.shell.command.call, role: 'sender', href: '/send?channel=voice' },
    { icon: AtSign, title: (texts) => texts.shell.command.mail, role: 'sender', href: '/send?channel=mail' },
    {
      icon: ShieldCheck,
      title: (texts) => texts.shell.command.code,
      role: 'sender',
      href: '/send?channel=code',
    },
  ],
  moved: { '/mail-campaigns/new': '/send?channel=mail' },
});
