/** An email: its history, and its content as the recipient sees it. */

import { useState } from 'react'
import {
  api,
  Button,
  crumbsOf,
  ErrorState,
  Facts,
  factsIn,
  formatDate,
  Loading,
  labelOf,
  Page,
  ReasonDialog,
  type ResourceScreenProps,
  Section,
  StateBadge,
  Tabs,
  useAction,
  useGet,
  useRecord,
  useRefresh,
  useScreenTexts,
} from '../../public.ts'
import './comms.css'
import { MailFrame } from './MailFrame.tsx'
import { texts } from './texts.ts'

const RETRYABLE = new Set(['failed', 'bounced', 'suppressed'])
/** Operators also send emails again that a server has accepted. */
const RESENDABLE = new Set([...RETRYABLE, 'sent', 'delivered'])

export default function MessageScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const refresh = useRefresh(resource)
  const { isBusy, run } = useAction({ onDone: refresh })
  const [isResending, setResending] = useState(false)
  const { data, error, isPending, refetch } = useRecord<
    '/v1/communications/messages/{id}' | '/v1/communications/admin/messages/{id}'
  >(resource, id)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const email = data.body
  const may = (operation: string) => resource.actions.some(action => action.id === operation)
  const resend = () => run(() => api.post('/v1/communications/messages/{id}/retry', { path: { id } }), t.resent)
  return (
    <Page
      title={labelOf(resource, data.body)}
      crumbs={crumbsOf(resource)}
      badge={<StateBadge states={resource.states.status} value={email.status} />}
      actions={
        <>
          {may('retryEmail') && RETRYABLE.has(email.status) && (
            <Button kind="primary" icon="send" isDisabled={isBusy} onPress={resend}>
              {t.resend}
            </Button>
          )}
          {may('resendAnyEmail') && RESENDABLE.has(email.status) && (
            <Button kind="primary" icon="send" onPress={() => setResending(true)}>
              {t.resend}
            </Button>
          )}
        </>
      }
    >
      <div className="mail-columns">
        <div>
          <Section title={t.details}>
            <Facts
              facts={factsIn(resource, email, ['to', 'templateKey', 'tenantId', 'locale', 'createdAt', 'sentAt'])}
              words={resource}
            />
          </Section>
          <Section title={t.history}>
            <ol className="timeline">
              {email.events.map(event => (
                <li className="row" key={`${event.at} ${event.type}`}>
                  <StateBadge states={resource.states.type} value={event.type} />
                  <time dateTime={event.at}>{formatDate(event.at)}</time>
                  {event.detail && (
                    <p>
                      <span className="muted">{t.answer}</span> <code lang="en">{event.detail}</code>
                    </p>
                  )}
                </li>
              ))}
            </ol>
          </Section>
        </div>
        {may('getEmailContent') && <Content id={id} />}
      </div>
      <ReasonDialog
        title={t.resendTitle.replace('{address}', email.to)}
        hint={t.resendHint}
        confirm={t.resend}
        message={t.resent}
        isOpen={isResending}
        onConfirm={async reason => {
          await api.post('/v1/communications/admin/messages/{id}/resend', { path: { id }, body: { reason } })
          await refresh()
        }}
        onClose={() => setResending(false)}
      />
    </Page>
  )
}

function Content({ id }: { readonly id: string }) {
  const t = useScreenTexts(texts)
  const [tab, setTab] = useState('html')
  const { data, error, isPending, refetch } = useGet('/v1/communications/messages/{id}/content', {
    path: { id },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  return (
    <Section title={t.content}>
      <Tabs
        label={t.content}
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'html', title: t.html, render: () => <MailFrame title={t.frame} html={data.html} /> },
          { id: 'text', title: t.plainText, render: () => <pre className="prose mail-text panel">{data.text}</pre> },
        ]}
      />
      <p className="hint">{t.noTokens}</p>
    </Section>
  )
}
