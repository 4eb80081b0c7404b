import { MINUTE } from '../../../../kernel/base/units.ts'
import { createStore, useStore } from '../browser/store.ts'
import { formatDate, formatLongDate, formatRelative } from '../locales/index.ts'

/** So that "3 min. ago" doesn't stay on a screen that stays open. */
const now = createStore(Date.now())
setInterval(() => now.set(Date.now()), MINUTE)

interface Props {
  /** RFC 3339. */
  readonly value: string
  /** Shows the date and the time instead of the distance from now. */
  readonly isExact?: boolean
}

/** A time from now, with the date and the time as its title. */
export function Time({ value, isExact = false }: Props) {
  const current = useStore(now)
  return (
    <time dateTime={value} title={formatLongDate(value)}>
      {isExact ? formatDate(value) : formatRelative(value, Math.max(current, Date.now()))}
    </time>
  )
}
