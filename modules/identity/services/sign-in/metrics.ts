import type { Registrations } from '@larder-dev/larder/kernel'
import type { IdentityServices } from '../../services.ts'

export const signInMetrics = ({ breachedPasswords, settings }: IdentityServices): Registrations['metrics'] =>
  settings.breachUrl === undefined
    ? []
    : [
        {
          name: 'larder_breached_passwords_total',
          help: 'New passwords that this process looked up in the service for breached passwords, by result',
          type: 'counter',
          read: async () =>
            Object.entries(breachedPasswords.counts).map(([result, value]) => ({ labels: { result }, value })),
        },
      ]
