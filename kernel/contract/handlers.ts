/** Listeners, jobs and checks. */
import type { Event, Events, Jobs } from './merged.ts'

/** A handler of events, as `listener` returns it. */
export interface Listener {
  readonly on: keyof Events & string
  /** Distinguishes two listeners of one module on the same event. */
  readonly as?: string
  /**
   * True if concurrent runs of this handler don't read each other's writes, for example because it only inserts rows.
   * The relay then processes many events in one transaction. Otherwise it processes them one at a time.
   */
  readonly concurrent?: boolean
  /**
   * True if the handler takes an array of events, at least one: those that the relay delivers in one transaction. A
   * statement can then process all of them. Like a concurrent handler, it runs while others do. Its context has the
   * cause of the events only if there is one event.
   */
  readonly batch?: boolean
  run(event: never): Promise<void>
}
/**
 * Declares an event handler. Its writes through `database` commit together with its completion, so they happen exactly
 * once. Put work that takes longer than a second, or calls other systems, in a job.
 */
export function listener<E extends keyof Events & string, const Batch extends boolean = false>(
  on: E,
  run: (event: Batch extends true ? readonly Event<E>[] : Event<E>) => Promise<void>,
  options: Pick<Listener, 'as' | 'concurrent'> & { readonly batch?: Batch } = {},
): Listener {
  return { on, run: run as Listener['run'], ...options }
}

/** What a job receives beside its data. */
export interface JobContext {
  /** Aborted at the timeout and when the process stops. */
  readonly signal: AbortSignal
  /** Counts from 1. */
  readonly attempt: number
  readonly jobId: string
  readonly tenantId: string | null
}
/** The fields of `job`. */
export interface JobSpec<Data> {
  /** `5s`, `1m`, `1d`, or a cron expression of five fields in UTC. `data` is then `{}`, and runs never overlap. */
  readonly every?: string
  /** Milliseconds; 30 s by default. */
  readonly timeout?: number
  /** 10 by default. After the last one, the job is listed as dead. */
  readonly attempts?: number
  /** Milliseconds before attempt `failed + 1`; min(1 h, 10 s × 3^(failed-1)) by default. */
  readonly backoff?: (failed: number) => number
  /** Maximum number of concurrent jobs of this name in one process; 10 by default. */
  readonly concurrency?: number
  /**
   * Whether it has effects outside the database that a copy of the installation must not have: it sends mail, or calls other
   * systems. It waits in an installation that was restored, until `larder resume`.
   */
  readonly outgoing?: boolean
  run(data: Data, context: JobContext): Promise<void>
}
/** A job as `job` returns it, with its types erased. */
export interface Job extends Omit<JobSpec<never>, 'run'> {
  readonly name: keyof Jobs & string
  run(data: never, context: JobContext): Promise<void>
}
/** Declares a background job, or a recurring one with `every`. */
export function job<J extends keyof Jobs & string>(name: J, spec: JobSpec<Jobs[J]>): Job {
  return { name, ...spec } as Job
}

/** Run for readiness. Throws if something is wrong. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}
