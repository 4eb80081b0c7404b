/**
 * At each poll, Agenda queries one due job per name: some twenty statements a second in an idle worker. This repository
 * runs one statement for the names with due jobs, and Agenda's query only for those names.
 */
import type { AgendaBackend, JobParameters } from 'agenda'

type Repository = AgendaBackend['repository']

/** All names of a poll share the query; polls must be further apart. */
const SHARE_MS = 500

export function lockDueJobs(repository: Repository): Repository['getNextJobToRun'] {
  let jobs: Promise<readonly JobParameters[]> = Promise.resolve([])
  let readAt = Number.NEGATIVE_INFINITY

  function readJobs(): Promise<readonly JobParameters[]> {
    if (performance.now() - readAt > SHARE_MS) {
      readAt = performance.now()
      jobs = repository.queryJobs({ includeDisabled: false }).then(found => found.jobs)
    }
    return jobs
  }

  return async (name, nextScanAt, lockDeadline, ...more) => {
    const isDue = ({ nextRunAt, lockedAt }: JobParameters) =>
      lockedAt ? lockedAt <= lockDeadline : nextRunAt && nextRunAt <= nextScanAt
    const known = await readJobs()
    if (!known.some(job => job.name === name && isDue(job))) return undefined
    return repository.getNextJobToRun(name, nextScanAt, lockDeadline, ...more)
  }
}
