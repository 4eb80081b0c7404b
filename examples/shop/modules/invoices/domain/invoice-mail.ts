import type { Invoice } from '../records.ts'

/** The recipient, language and data of an invoice's mails. Templates format amounts and dates for the language. */
export const invoiceMail = ({ customer, locale, number, amount, currency, dueAt }: Invoice) => ({
  to: customer,
  ...(locale !== null && { locale }),
  data: { invoice: { number, amount, currency, dueAt: dueAt?.toISOString() } },
})
