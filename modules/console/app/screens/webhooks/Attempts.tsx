/** What was sent to an endpoint at each attempt, and what it answered. */
import { type Api, CodeBlock, formatDate, formatNumber, useScreenTexts } from '../../public.ts'
import { texts } from './texts.ts'

export function Attempts({ delivery }: { readonly delivery: Api.WebhookDeliveryDetails }) {
  const t = useScreenTexts(texts)
  return (
    <>
      {delivery.attempts.length === 0 && <p className="muted">{t.noAttempts}</p>}
      {delivery.attempts.map(attempt => (
        <article key={attempt.number} className="attempt">
          <header className="row">
            <strong>{t.attempt.replace('{number}', formatNumber(attempt.number))}</strong>
            <span className={`badge ${isSuccess(attempt.status) ? 'success' : 'danger'}`}>
              {attempt.status ?? attempt.error}
            </span>
            <span className="muted">{t.duration.replace('{count}', formatNumber(attempt.duration_ms))}</span>
            <time dateTime={attempt.at}>{formatDate(attempt.at)}</time>
          </header>
          {attempt.status !== null && attempt.error !== null && <p className="error">{attempt.error}</p>}
          {attempt.status !== null &&
            (attempt.answer ? <CodeBlock text={attempt.answer} /> : <p className="muted">{t.noAnswer}</p>)}
        </article>
      ))}
    </>
  )
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300
