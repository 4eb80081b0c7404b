/** Lets a process that has just started resume clients of the others: it asks one of them for its recent messages. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Deps, newId, SECOND } from '@larder-dev/larder/kernel'
import { RETENTION_MS } from './limits.ts'
import type { MessageLog } from './message-log.ts'
import type { HistoryPart, LogSnapshot } from './ports.ts'

/** A process gives up when no part of the answer has arrived for this long. */
const TIMEOUT_MS = SECOND
/** Random, so that mostly one process answers. */
const MAX_DELAY_MS = 100
/** Additional delay of a process whose own messages go back less far. */
const YOUNG_DELAY_MS = 200
/** Characters of the messages in one part. */
const PART_LENGTH = 250_000

export interface HistoryDeps extends Deps<'bus' | 'log'> {
  readonly messages: Pick<MessageLog<unknown>, 'completeSince' | 'snapshot' | 'inherit'>
  readonly now: () => number
}

export interface History {
  /** Answers other processes. Returns a function that stops it. */
  listen(): () => void
  /** Asks for the messages before this moment. An earlier request is canceled. */
  request(): void
  /** Resolves when the answer of the last request has arrived, or when there will be none. */
  received(): Promise<void>
}

export function createHistory({ bus, log, messages, now }: HistoryDeps): History {
  const self = newId('node')
  /** Requests that no other process has answered yet. */
  const open = new Set<string>()
  let wanted: { readonly id: string; from?: string; parts: HistoryPart[]; end(): void } | undefined
  let received = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function answer(to: string): Promise<void> {
    open.add(to)
    await pause(Math.random() * MAX_DELAY_MS)
    if (now() - messages.completeSince() < RETENTION_MS / 2) await pause(YOUNG_DELAY_MS)
    if (!open.delete(to)) return
    const parts = [...partsOf(messages.snapshot())]
    for (const [index, part] of parts.entries()) {
      bus.publish('topics.history', { ...part, from: self, to, isLast: index === parts.length - 1 })
      await nextTurn()
    }
  }

  function expire(): void {
    clearTimeout(timer)
    timer = setTimeout(() => wanted?.end(), TIMEOUT_MS).unref()
  }

  function receive(part: HistoryPart): void {
    open.delete(part.to)
    if (!wanted || part.to !== wanted.id || part.from !== (wanted.from ?? part.from)) return
    wanted.from = part.from
    wanted.parts.push(part)
    if (!part.isLast) {
      expire()
      return
    }
    messages.inherit({ ...part, channels: wanted.parts.flatMap(({ channels }) => channels) })
    wanted.end()
  }

  return {
    listen() {
      const stops = [
        bus.subscribe('topics.history_request', ({ from, id }) => {
          if (from === self) return
          answer(id).catch(error => log.warn({ err: error }, 'recent messages could not be sent to another process'))
        }),
        bus.subscribe('topics.history', receive),
      ]
      return () => {
        for (const stop of stops) stop()
        open.clear()
        wanted?.end()
      }
    },
    request() {
      wanted?.end()
      const id = newId('history')
      received = new Promise(resolve => {
        wanted = {
          id,
          parts: [],
          end() {
            clearTimeout(timer)
            wanted = undefined
            resolve()
          },
        }
      })
      expire()
      bus.publish('topics.history_request', { from: self, id })
    },
    received: () => received,
  }
}

function* partsOf({ channels, ...rest }: LogSnapshot): Iterable<LogSnapshot> {
  let part: LogSnapshot['channels'][number][] = []
  let length = 0
  for (const channel of channels) {
    part.push(channel)
    for (const [, , , text] of channel[MESSAGES]) length += text?.length ?? 0
    if (length < PART_LENGTH) continue
    yield { ...rest, channels: part }
    part = []
    length = 0
  }
  yield { ...rest, channels: part }
}
/** Index in a channel of a snapshot. */
const MESSAGES = 2
