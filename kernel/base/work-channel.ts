/** Tracing channels of Node for work that a request does several times. */
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import { currentContext } from './context.ts'

/** Callers ask `isObserved` first, so that stack traces of other work have no frames of the channel. */
export interface WorkChannel<Message extends object> {
  /** Whether somebody sees work that begins now. */
  isObserved(): boolean
  promise<T>(work: () => Promise<T>, message: () => Message): Promise<T>
  sync<T>(work: () => T, message: () => Message): T
}
type Run<Message extends object> = <T>(channel: TracingChannel<unknown, Message>, work: () => T, message: Message) => T

/** The channel of the work that belongs to recorded traces. */
export const recordedName = (name: string): string => `${name}.recorded`

/**
 * Publishes work on the tracing channel `name`, and what belongs to a recorded trace on a second one as well, to which
 * telemetry subscribes: work of traces that the sampler leaves out costs a look at its context.
 */
export function createWorkChannel<Message extends object>(name: string): WorkChannel<Message> {
  const all = tracingChannel<unknown, Message>(name)
  const recorded = tracingChannel<unknown, Message>(recordedName(name))
  const isRecorded = () => recorded.hasSubscribers && currentContext().trace?.isRecorded === true
  function publish<T>(work: () => T, message: () => Message, run: Run<Message>): T {
    const published = message()
    const inner = isRecorded() ? () => run(recorded, work, published) : work
    return all.hasSubscribers ? run(all, inner, published) : inner()
  }
  return {
    isObserved: () => all.hasSubscribers || isRecorded(),
    promise: (work, message) =>
      publish(work, message, (channel, inner, published) => channel.tracePromise(inner as never, published) as never),
    sync: (work, message) => publish(work, message, (channel, inner, published) => channel.traceSync(inner, published)),
  }
}
