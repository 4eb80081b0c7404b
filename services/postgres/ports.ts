/** What the PostgreSQL service offers, and the settings it reads. */
import type { OpenDatabase } from './open.ts'

/** For services that need more of PostgreSQL than units of work: notifications, locks and savepoints. */
export type Postgres = Pick<
  OpenDatabase,
  'database' | 'systemRole' | 'systemTransaction' | 'listen' | 'notify' | 'ready' | 'appUrl' | 'directUrl'
>

declare module 'larder/kernel' {
  interface Ports {
    postgres: Postgres
  }
  interface Settings {
    readonly databaseUrl: string | undefined
    readonly databaseAppUrl: string | undefined
    readonly databaseDirectUrl: string | undefined
  }
}
