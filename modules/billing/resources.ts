import type { Registrations } from '@larder-dev/larder/kernel'
import type { Entitlement } from './domain/plans.ts'
import { nameOf } from './domain/plans.ts'

export const resources = (entitlements: readonly Entitlement[]): Registrations['resources'] => [
  {
    name: 'plans',
    group: 'money',
    title: 'Plans',
    singular: 'Plan',
    label: 'name',
    key: 'key',
    icon: 'badge-euro',
    operations: { list: 'listPlans' },
    columns: ['name', 'price', 'interval', 'trialDays'],
  },
  {
    name: 'entitlements',
    title: 'Limits',
    singular: 'Limit',
    label: 'name',
    key: 'key',
    icon: 'gauge',
    operations: { list: 'listEntitlements' },
    columns: ['name', 'key'],
  },
  {
    name: 'credits',
    title: 'Credits',
    singular: 'Credit balance',
    label: 'name',
    key: 'key',
    icon: 'coins',
    operations: { list: 'listCreditBalances' },
    columns: ['name', 'key', 'balance', 'unit', 'nextExpiry.expiresAt'],
    labels: { 'nextExpiry.expiresAt': 'Next expiry' },
    actions: [{ operation: 'grantCredits', title: 'Grant credits', on: 'list' }],
    relations: [{ resource: 'billing.transactions', parameters: { 'filter[key]': 'key' } }],
  },
  {
    name: 'transactions',
    title: 'Credit transactions',
    singular: 'Credit transaction',
    label: 'reason',
    icon: 'receipt-text',
    operations: { list: 'listCreditTransactions' },
    columns: ['createdAt', 'key', 'kind', 'amount', 'balanceAfter', 'reason', 'expiresAt'],
    filters: ['filter[key]', 'filter[kind]'],
    labels: { key: 'Credit', 'filter[key]': 'Credit' },
    states: {
      key: Object.fromEntries(entitlements.map(one => [one.key, { title: nameOf(one), tone: 'plain' }])),
    },
  },
]
