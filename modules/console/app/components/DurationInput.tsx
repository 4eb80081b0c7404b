/** A duration as a number and its unit. */
import { useState } from 'react'
import type { Field } from '../data/form-model.ts'
import { amountIn, type DurationUnit, UNITS, unitOf } from '../locales/durations.ts'
import { useTexts } from '../locales/index.ts'
import styles from './DurationInput.module.css'

interface Props {
  readonly id: string
  readonly field: Field
  readonly label: string
  /** In the unit of the API. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

const TITLES = {
  ms: 'milliseconds',
  second: 'seconds',
  minute: 'minutes',
  hour: 'hours',
  day: 'days',
} as const satisfies Record<DurationUnit, string>

export function DurationInput({ field, label, value, onChange, ...input }: Props) {
  const t = useTexts()
  const base = unitOf(field.name)
  const given = amountIn(value, base)
  const [unit, setUnit] = useState<DurationUnit>(given.unit)
  const shown = amountIn(value, base, unit)
  const send = (amount: string, next: DurationUnit) => {
    const number = Number(amount.replace(',', '.'))
    onChange(amount.trim() === '' || Number.isNaN(number) ? amount : String((number * UNITS[next]) / UNITS[base]))
  }
  return (
    <span className={styles.duration}>
      <input
        {...input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={shown.amount}
        onChange={({ target }) => send(target.value, unit)}
      />
      <select
        aria-label={`${label}: ${t('unit')}`}
        value={unit}
        onChange={({ target }) => {
          const next = target.value as DurationUnit
          setUnit(next)
          send(shown.amount, next)
        }}
      >
        {Object.entries(TITLES)
          .filter(([each]) => each !== 'ms' || base === 'ms')
          .map(([each, title]) => (
            <option key={each} value={each}>
              {t(title)}
            </option>
          ))}
      </select>
    </span>
  )
}
