/** The port of the job list, and settings that jobs read. Types only. */
import type { PageOf } from '@larder-dev/larder/kernel'

/** `failed` is the end of a run of a recurring job, whose next run is the next attempt. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'dead'
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
  /** When its last attempt began. */
  readonly startedAt: string | null
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
/** When a recurring job runs, and how its last run ended. Null before it has run. */
export interface JobSchedule {
  readonly name: string
  /** In the past if no worker runs. */
  readonly nextRunAt: string | null
  readonly lastRunAt: string | null
  readonly lastFinishedAt: string | null
  readonly lastResult: 'succeeded' | 'failed' | null
  /** The error of the last run, if it failed. */
  readonly lastError: string | null
}
export interface JobActivity {
  /**
   * Newest first. `tenantId: null` selects all tenants. Finished jobs are deleted after their retention. Of a recurring
   * job, only the last run that succeeded and the last one that failed are listed.
   */
  list(query: {
    readonly tenantId: string | null
    readonly name?: string | undefined
    readonly state?: JobState | undefined
    readonly limit: number
    readonly cursor?: string | undefined
  }): Promise<PageOf<JobRecord>>
  /** Counts the jobs of all tenants. Names without such jobs are left out. */
  counts(): Promise<readonly JobCounts[]>
  /** Recurring jobs of all recipes that this database has had. */
  schedules(): Promise<readonly JobSchedule[]>
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
