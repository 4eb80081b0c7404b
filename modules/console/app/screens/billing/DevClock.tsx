/** Advances the time of the workspace. Offered to people with its permission, for the development provider only. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { useScreenTexts } from '../../locales/index.ts'
import { texts } from './texts.ts'

const MAX_DAYS = 366

export function DevClock({ onDone }: { readonly onDone: () => Promise<unknown> }) {
  const t = useScreenTexts(texts)
  const [days, setDays] = useState('14')
  const [payments, setPayments] = useState('succeed')
  const { isBusy, run } = useAction({ onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { days: Number(days), payments }
    run(() => callApi({ method: 'POST', path: '/v1/billing/dev/advance', body }), t.advanced.replace('{days}', days))
  }
  return (
    <section aria-labelledby="clock">
      <h2 id="clock">{t.clock}</h2>
      <p className="muted">{t.clockText}</p>
      <form className="clock-form" onSubmit={submit}>
        <div className="field">
          <label htmlFor="clock-days">{t.days}</label>
          <input
            id="clock-days"
            type="number"
            min={1}
            max={MAX_DAYS}
            required
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="clock-payments">{t.payments}</label>
          <select id="clock-payments" value={payments} onChange={({ target }) => setPayments(target.value)}>
            <option value="succeed">{t.succeed}</option>
            <option value="fail">{t.fail}</option>
          </select>
        </div>
        <Button type="submit" icon="calendar" isDisabled={isBusy}>
          {t.advance}
        </Button>
      </form>
    </section>
  )
}
