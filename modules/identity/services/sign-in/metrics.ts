import type { Registrations } from '@larder-dev/larder/kernel'
import type { IdentityServices } from '../../services.ts'

export const signInMetrics = ({ breachedPasswords, signInMethods }: IdentityServices): Registrations['metrics'] => [
  {
    name: 'larder_sign_ins_total',
    help: 'Sign-ins that this process examined, by method and result',
    type: 'counter',
    read: async () => signInMethods.counts().map(({ value, ...labels }) => ({ labels, value })),
  },
  {
    name: 'larder_breached_passwords_total',
    help: 'New passwords that this process looked up in the service for breached passwords, by result',
    type: 'counter',
    read: async () =>
      Object.entries(breachedPasswords.counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
