/** Advances the time of the workspace. Offered to people with its permission, for the development provider only. */

import { type FormEvent, useState } from 'react'
import { api, Button, Section, SelectField, TextField, useAction, useScreenTexts } from '../../public.ts'
import { texts } from './texts.ts'

const MAX_DAYS = 366

export function DevClock({ onDone }: { readonly onDone: () => Promise<unknown> }) {
  const t = useScreenTexts(texts)
  const [days, setDays] = useState('14')
  const [payments, setPayments] = useState<'succeed' | 'fail'>('succeed')
  const { isBusy, run } = useAction({ onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { days: Number(days), payments }
    run(() => api.post('/v1/billing/dev/advance', { body }), t.advanced.replace('{days}', days))
  }
  return (
    <Section title={t.clock}>
      <p className="muted">{t.clockText}</p>
      <form className="inline-form" onSubmit={submit}>
        <TextField label={t.days} type="number" min={1} max={MAX_DAYS} required value={days} onChange={setDays} />
        <SelectField
          label={t.payments}
          value={payments}
          options={[
            ['succeed', t.succeed],
            ['fail', t.fail],
          ]}
          onChange={setPayments}
        />
        <Button type="submit" icon="calendar" isDisabled={isBusy}>
          {t.advance}
        </Button>
      </form>
    </Section>
  )
}
