import type { Invoice } from '../records.ts'

export interface Transition {
  readonly from: Invoice['status']
  readonly to: Invoice['status']
}

export const SEND: Transition = { from: 'draft', to: 'sent' }
export const PAY: Transition = { from: 'sent', to: 'paid' }
