/** Counts what this process does beside requests, by the tracing channels of docs/observability.md. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { MetricSource } from '../types.ts'

export interface WorkCounts {
  readonly metrics: readonly MetricSource[]
  close(): void
}

/** The message of a channel. Node adds `error` if the work failed, and otherwise `result`. */
interface Message {
  readonly error?: unknown
  readonly result?: unknown
  readonly job?: { readonly name: string }
  readonly events?: readonly unknown[]
}
type Labels = Readonly<Record<string, string>>

interface Counted {
  readonly channel: string
  readonly name: string
  readonly help: string
  /** Values of the label `result`, which are exported from the start: a rate needs the value before the first failure. */
  readonly results: readonly [succeeded: string, failed: string]
  /** False if the result of the work says that it failed. */
  isSuccess?(result: unknown): boolean
  labels?(message: Message): Labels
  times?(message: Message): number
}

const COUNTED: readonly Counted[] = [
  {
    channel: 'larder.jobs.run',
    name: 'larder_job_runs_total',
    help: 'Attempts of jobs in this process, by job and result',
    results: ['succeeded', 'failed'],
    labels: ({ job }) => ({ name: job?.name ?? '' }),
  },
  {
    channel: 'larder.outbox.delivery',
    name: 'larder_event_deliveries_total',
    help: 'Attempts of this process to deliver an event to a listener, by result',
    results: ['succeeded', 'failed'],
    times: ({ events }) => events?.length ?? 1,
  },
  {
    channel: 'larder.comms.mail',
    name: 'larder_mail_attempts_total',
    help: 'Attempts of this process to send an email, by result',
    results: ['sent', 'failed'],
  },
  {
    channel: 'larder.webhooks.send',
    name: 'larder_webhook_attempts_total',
    help: 'Attempts of this process to send a webhook, by result; failed without a status of 200 to 299',
    results: ['accepted', 'failed'],
    isSuccess(result) {
      const { status } = (result ?? {}) as { readonly status?: number | null }
      return typeof status === 'number' && status >= 200 && status < 300
    },
  },
]

export function createWorkCounts(): WorkCounts {
  const counted = COUNTED.map(count)
  return {
    metrics: counted.map(({ metric }) => metric),
    close() {
      for (const { close } of counted) close()
    },
  }
}

function count(counted: Counted): { readonly metric: MetricSource; close(): void } {
  const { channel, name, help, results, isSuccess = () => true, labels = () => ({}), times = () => 1 } = counted
  const [succeeded, failed] = results
  const values = new Map<string, { readonly labels: Labels; value: number }>()
  const add = (labels: Labels, times: number) => {
    const key = Object.values(labels).join(' ')
    const known = values.get(key)
    if (known) known.value += times
    else values.set(key, { labels, value: times })
  }
  if (!counted.labels) for (const result of results) add({ result }, 0)
  const onEnd = (data: unknown) => {
    const message = data as Message
    const result = message.error === undefined && isSuccess(message.result) ? succeeded : failed
    add({ ...labels(message), result }, times(message))
  }
  const ends = `tracing:${channel}:asyncEnd`
  subscribe(ends, onEnd)
  return {
    metric: { name, help, type: 'counter', perProcess: true, read: async () => [...values.values()] },
    close: () => void unsubscribe(ends, onEnd),
  }
}
