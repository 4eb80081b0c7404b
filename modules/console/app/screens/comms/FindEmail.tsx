/** Finds lost mail: everything sent to an address, and whether the address is suppressed. */

import { type FormEvent, useState } from 'react'
import {
  areaCrumbs,
  Button,
  EmptyState,
  ErrorState,
  formatDate,
  Loading,
  Page,
  ScreenLink,
  Section,
  StateBadge,
  useGet,
  useNavigate,
  useResource,
  useResources,
  useScreenTexts,
  useSearch,
} from '../../public.ts'
import './comms.css'
import { texts } from './texts.ts'

const MAX_EMAILS = 50

const recordPath = (name: string, id: string): string => `/comms/${name}/${id}`

export default function FindEmail() {
  const t = useScreenTexts(texts)
  const navigate = useNavigate()
  const { to = '' } = useSearch()
  const [address, setAddress] = useState(to)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate({ to: '.', search: { to: address.trim() } })
  }
  return (
    <Page title={t.find} crumbs={areaCrumbs('comms')}>
      <p className="lead">{t.findText}</p>
      <form className="find-form field" onSubmit={submit}>
        <label htmlFor="address">{t.address}</label>
        <div className="row">
          <input
            id="address"
            type="email"
            required
            autoComplete="off"
            value={address}
            onChange={event => setAddress(event.target.value)}
          />
          <Button kind="primary" icon="search" type="submit">
            {t.search}
          </Button>
        </div>
      </form>
      {to !== '' && <Results address={to} />}
    </Page>
  )
}

function Results({ address }: { readonly address: string }) {
  const t = useScreenTexts(texts)
  const { data: resources = [] } = useResources()
  // Operators find the emails of every workspace.
  const isOperator = resources.some(({ id }) => id === 'comms.all-messages')
  const emails = useGet(isOperator ? '/v1/communications/admin/messages' : '/v1/communications/messages', {
    query: { 'filter[to]': address, limit: MAX_EMAILS },
  })
  const suppressions = useGet('/v1/communications/suppression', {
    query: { 'filter[email]': address },
    isEnabled: resources.some(({ id }) => id === 'comms.suppressions'),
  })
  const states = useResource('comms', isOperator ? 'all-messages' : 'messages')?.states
  if (emails.error) return <ErrorState error={emails.error} onRetry={emails.refetch} />
  if (emails.isPending) return <Loading />
  const [suppression] = suppressions.data?.data ?? []
  return (
    <>
      {suppression && (
        <p className="notice danger">
          {t.suppressed.replace('{reason}', suppression.reason)}{' '}
          <ScreenLink className="plain" to={recordPath('suppressions', suppression.id)}>
            {t.openSuppression}
          </ScreenLink>
        </p>
      )}
      {emails.data.data.length === 0 ? (
        <EmptyState icon="mail-x" title={t.nothingSent} text={isOperator ? t.nothingSentAnywhere : t.nothingSentText} />
      ) : (
        <Section title={t.results.replace('{address}', address)}>
          <ul className="found-emails panel">
            {emails.data.data.map(({ id, subject, templateKey, status, createdAt }) => (
              <li key={id}>
                <ScreenLink className="plain" to={recordPath(isOperator ? 'all-messages' : 'messages', id)}>
                  <strong>{subject || templateKey}</strong>
                  <StateBadge states={states?.status} value={status} />
                  <time dateTime={createdAt}>{formatDate(createdAt)}</time>
                </ScreenLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
