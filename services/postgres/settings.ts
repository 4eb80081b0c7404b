import { availableParallelism } from 'node:os'
import { defineSettings, MIB, SECOND } from '@larder-dev/larder/kernel'
import { MAX_CONNECTIONS } from './connection-places.ts'

const SCHEMES = ['postgres', 'postgresql']
/** Each can keep one core of the database busy, which often runs on the same machine, or on a similar one. */
const SCANS = Math.min(MAX_CONNECTIONS, Math.max(1, Math.floor(availableParallelism() / 2)))

export const settings = defineSettings({
  variables: [
    { name: 'DATABASE_URL', about: 'PostgreSQL URL of the owner of the schema, who runs migrations', secret: true },
    {
      name: 'DATABASE_APP_URL',
      about: 'PostgreSQL URL of the role that serves requests, if the owner may not create roles',
      secret: true,
    },
    { name: 'DATABASE_DIRECT_URL', about: 'PostgreSQL URL that bypasses a transaction-mode pooler', secret: true },
    { name: 'DATABASE_WAIT_SECONDS', about: 'how long a start waits for an unreachable database', default: '60' },
    {
      name: 'DATABASE_TENANT_CONNECTIONS',
      about: 'connections, of the 16 of a process, that one workspace uses at a time; 0 for no limit',
      default: '5',
    },
    {
      name: 'DATABASE_TENANT_SCANS',
      about:
        'searches, totals and other reads of many rows that one workspace runs at a time in a process; 0 for no limit',
      default: 'half the cores of this machine, at least 1',
    },
    {
      name: 'MIN_FREE_DISK_MB',
      about: 'free disk space in MiB, below which readiness fails; 0 turns the check off',
      default: '256',
    },
  ],
  read(env) {
    const databaseUrl = env.url('DATABASE_URL', SCHEMES)
    if (databaseUrl && !env.text('LARDER_SECRET'))
      env.fail('LARDER_SECRET is required with DATABASE_URL, the same in every process: openssl rand -base64 32')
    return {
      databaseUrl,
      databaseAppUrl: env.url('DATABASE_APP_URL', SCHEMES),
      databaseDirectUrl: env.url('DATABASE_DIRECT_URL', SCHEMES),
      databaseWaitMs: env.integer('DATABASE_WAIT_SECONDS', 60, 3600) * SECOND,
      databaseTenantConnections: env.integer('DATABASE_TENANT_CONNECTIONS', 5, MAX_CONNECTIONS) || MAX_CONNECTIONS,
      databaseTenantScans: env.integer('DATABASE_TENANT_SCANS', SCANS, MAX_CONNECTIONS) || MAX_CONNECTIONS,
      minFreeDiskBytes: env.integer('MIN_FREE_DISK_MB', 256, 1_000_000_000) * MIB,
    }
  },
})
