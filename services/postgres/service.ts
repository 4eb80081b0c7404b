import { defineService } from '@larder-dev/larder/kernel'
import { assertFreeSpace } from './free-space.ts'
import { metrics } from './metrics.ts'
import type {} from './ports.ts'
import { reencryptionJob } from './reencryption.ts'
import { createSchemaOwner } from './schema-owner.ts'
import { createSchemaStore } from './schema-store.ts'
import { settings } from './settings.ts'
import { createTenantDeletion } from './tenant-deletion.ts'
import { createTenantSuspension } from './tenant-suspension.ts'

/** Notifications on these channels wake the relay and the job runner. */
const WORKER_CHANNELS = ['larder_events', 'larder_jobs']

export default defineService({
  name: 'postgres',
  summary:
    'PostgreSQL: units of work with row level security, migrations, notifications; embedded without DATABASE_URL.',
  needs: ['settings', 'log', 'process', 'registry', 'secrets'],
  settings,
  services: {
    connection: {
      load: async () => (await import('./connection.ts')).createConnection,
      dispose: connection => connection.close(),
    },
  },
  provides: {
    postgres: ({ connection }) => connection.db,
    database: ({ connection }) => connection.db.database,
    systemDatabase: ({ connection }) => connection.db.systemDatabase,
    models: ({ connection }) => connection.db.models,
    migrations: createSchemaStore,
    schemaOwner: createSchemaOwner,
    tenantDeletion: ({ connection, registry }) => {
      const { database, systemDatabase } = connection.db
      return createTenantDeletion({
        database,
        systemDatabase,
        roles: () => connection.db.roles.roles,
        hooks: () => registry.collect<(tenantId: string) => Promise<void>>('deleteTenant').map(({ value }) => value),
      })
    },
    tenantSuspension: ({ connection: { db } }) =>
      createTenantSuspension({
        systemDatabase: db.systemDatabase,
        database: db.database,
        wakeWorkers: async () => {
          await Promise.all(WORKER_CHANNELS.map(channel => db.notify(channel, '')))
        },
      }),
    diskSpace: ({ settings }) => ({ assertFree: folder => assertFreeSpace(folder, settings.minFreeDiskBytes) }),
    operator: ({ connection }) => ({
      get tenantId() {
        return connection.operatorTenantId
      },
    }),
  },
  init: ({ connection }) => connection.open(),
  checks: ({ connection }) => [
    { name: 'database', run: () => connection.db.ready() },
    { name: 'database_disk', run: () => connection.assertFreeSpace() },
  ],
  jobs: ({ connection, ...deps }) => [reencryptionJob({ ...deps, systemDatabase: connection.db.systemDatabase })],
  metrics,
  migrations: new URL('./migrations/', import.meta.url),
})
