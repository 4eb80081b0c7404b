/** The port of the job list, and settings that jobs read. Types only. */
import type { PageOf } from '@larder-dev/larder/kernel'

export type JobState = 'waiting' | 'running' | 'done' | 'dead'
export interface JobRecord {
  readonly id: string
  readonly name: string
  readonly tenantId: string | null
  readonly state: JobState
  readonly attempts: number
  /** Whether it runs on a schedule. */
  readonly recurring: boolean
  /** When it is or was due. */
  readonly runAt: string
  readonly lastError: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
}
/** Jobs of one name that have not finished. */
export interface JobCounts {
  readonly name: string
  readonly waiting: number
  readonly running: number
  readonly dead: number
  /** When the next one is due. */
  readonly nextRunAt: string | null
}
export interface JobActivity {
  /** Newest first. `tenantId: null` selects all tenants. Finished jobs are deleted after their retention. */
  list(query: {
    readonly tenantId: string | null
    readonly name?: string | undefined
    readonly state?: JobState | undefined
    readonly limit: number
    readonly cursor?: string | undefined
  }): Promise<PageOf<JobRecord>>
  /** Counts the jobs of all tenants. Names without such jobs are left out. */
  counts(): Promise<readonly JobCounts[]>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    jobActivity: JobActivity
  }
  interface Settings {
    readonly jobsBackend: 'postgres' | 'mongodb' | 'redis'
    readonly mongodbUrl: string | undefined
  }
}
