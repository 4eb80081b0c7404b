/**
 * The schedule as Agenda sees it: the repository of a back end, with four differences.
 * - Agenda never sees a lock expire. It would drop the job without freeing its slot, and the job would never run again in
 *   this process: after a pause of the process, or while it waits for its last statement.
 * - One statement per poll finds the names with due jobs, and only those are locked: an idle worker would otherwise run a
 *   statement per name and second.
 * - A lock that can't be released is reported. Agenda doesn't wait for it, so the error would end the process.
 * - The state of a job that the back end has lost is not an error: the next check of the schedule adds the job again.
 */
import type { JobParameters, JobRepository } from 'agenda'

/** A later time than any lock of this process can expire. The back end stores the real time. */
const HELD = new Date(8.64e15)

export function createScheduleRepository(stored: JobRepository, onError: (error: unknown) => void): JobRepository {
  let poll: Promise<readonly JobParameters[]> | undefined
  /** Agenda asks for all names at once, so they share a statement. */
  function pollJobs(): Promise<readonly JobParameters[]> {
    poll ??= stored
      .queryJobs({ includeDisabled: false })
      .then(({ jobs }) => jobs)
      .finally(() => {
        poll = undefined
      })
    return poll
  }

  return {
    async getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
      const isDue = ({ nextRunAt, lockedAt }: JobParameters) =>
        lockedAt ? lockedAt <= lockDeadline : nextRunAt && nextRunAt <= nextScanAt
      const jobs = await pollJobs()
      if (!jobs.some(job => job.name === name && isDue(job))) return undefined
      const job = await stored.getNextJobToRun(name, nextScanAt, lockDeadline, now, options)
      return job && { ...job, lockedAt: HELD }
    },
    async saveJobState(job, options) {
      const { lockedAt, ...state } = job
      // Agenda removes it from its own record before this call, and reports a canceled run if it is missing meanwhile.
      job.lockedAt = HELD
      try {
        await stored.saveJobState(lockedAt ? { ...state, lockedAt: new Date() } : state, options)
      } catch (error) {
        if (!state._id || (await stored.getJobById(state._id))) throw error
      }
    },
    unlockJob: job => stored.unlockJob(job).catch(onError),

    connect: () => stored.connect(),
    queryJobs: options => stored.queryJobs(options),
    getJobsOverview: () => stored.getJobsOverview(),
    getDistinctJobNames: () => stored.getDistinctJobNames(),
    getJobById: id => stored.getJobById(id),
    getQueueSize: () => stored.getQueueSize(),
    saveJob: (job, options) => stored.saveJob(job, options),
    removeJobs: options => stored.removeJobs(options),
    lockJob: (job, options) => stored.lockJob(job, options),
    unlockJobs: ids => stored.unlockJobs(ids),
    disableJobs: options => stored.disableJobs(options),
    enableJobs: options => stored.enableJobs(options),
    purgeAllJobs: () => stored.purgeAllJobs(),
  }
}
