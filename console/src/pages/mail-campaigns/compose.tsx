import { Page } from '../../components/page.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { MailForm } from './mail-form.tsx';
import '../../features/campaigns/send.css';
import './mail-campaigns.css';

/** Writing a mail to lists, with what it looks like and costs before one presses. */
export default function ComposeMail() {
  const { mailCampaigns: t } = useTexts();
  return (
    <Page title={t.composeTitle} lead={t.composeLead}>
      <MailForm />
    </Page>
  );
}
