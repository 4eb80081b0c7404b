import type { Invoice } from '../ports.ts'

/** Returns the data of the mail templates, with the amount formatted as money. */
export function mailData({ number, amount, currency, dueAt }: Invoice) {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = money.resolvedOptions().maximumFractionDigits ?? 2
  return { number, total: money.format(amount / 10 ** digits), due: dueAt?.toISOString().slice(0, 10) ?? '' }
}
