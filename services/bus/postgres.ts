/** The bus over LISTEN and NOTIFY, for all processes of one database. Messages too long for NOTIFY go through a table. */
import { type Deps, newId, type SystemDatabase } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import { type ClosableBus, createSubscribers } from './memory.ts'
import { createPresence, PRESENCE } from './presence.ts'
import { createDeduplicator, createSender } from './sender.ts'

const CHANNEL = 'larder_bus'
/** PostgreSQL limits a payload to 8000 bytes, which include the envelope. */
const MAX_INLINE_BYTES = 7000
/** By then, every process has had time to fetch the message. */
const LONG_MESSAGE_RETENTION = '1 minute'

type Envelope = { readonly from: string } & (
  | { readonly count: number; readonly channel: string; readonly message: unknown }
  | { readonly count: number; readonly channel: string; readonly id: string }
  | { readonly gap: true }
)

export interface PostgresBusOptions {
  readonly db: Deps<'postgres'>['postgres']
  readonly systemDatabase: SystemDatabase
  readonly log: Logger
  readonly signIntervalMs?: number
}

/** Delivers a message to local subscribers synchronously, and to other processes in the order of publication. */
export async function createPostgresBus({
  db,
  systemDatabase,
  log,
  signIntervalMs,
}: PostgresBusOptions): Promise<ClosableBus> {
  const subscribers = createSubscribers(log)
  const self = newId('node')
  /** JSON prefix of every envelope that this process sends. */
  const ownStart = JSON.stringify({ from: self }).slice(0, -1)
  let receiving: Promise<void> = Promise.resolve()

  async function send(envelopes: readonly string[]): Promise<void> {
    const payloads: string[] = []
    for (const envelope of envelopes)
      payloads.push(Buffer.byteLength(envelope) <= MAX_INLINE_BYTES ? envelope : await store(envelope))
    await db.notify(CHANNEL, ...payloads)
  }

  /** Stores a message that is too long for a payload. Returns an envelope with its ID. */
  async function store(envelope: string): Promise<string> {
    const { count, channel, message } = JSON.parse(envelope) as { count: number; channel: string; message: unknown }
    const id = newId('bus')
    await messages().all([
      ['insert into larder_bus_messages (id, body) values ($1, $2)', [id, JSON.stringify(message)]],
      [`delete from larder_bus_messages where created_at < now() - interval '${LONG_MESSAGE_RETENTION}'`],
    ])
    return JSON.stringify({ from: self, count, channel, id } satisfies Envelope)
  }

  async function receive(payload: string): Promise<void> {
    const isOwn = payload.startsWith(ownStart)
    if (isOwn && !payload.includes(PRESENCE)) return
    const envelope = JSON.parse(payload) as Envelope
    if ('message' in envelope && envelope.channel === PRESENCE) return presence.receive(envelope.from, envelope.message)
    if (isOwn) return
    if ('gap' in envelope) return subscribers.notifyGap()
    if (!isNew(envelope.from, envelope.count)) return
    if ('message' in envelope) return subscribers.deliver(envelope.channel, envelope.message)
    const { rows } = await messages().query<{ body: string }>('select body from larder_bus_messages where id = $1', [
      envelope.id,
    ])
    if (rows[0]) subscribers.deliver(envelope.channel, JSON.parse(rows[0].body))
    else subscribers.notifyGap()
  }
  const isNew = createDeduplicator()
  let count = 0
  const gap = JSON.stringify({ from: self, gap: true } satisfies Envelope)
  const sender = createSender<string>({ send, gap, log })
  const publish = (channel: string, message: unknown) =>
    sender.push(JSON.stringify({ from: self, count: ++count, channel, message } satisfies Envelope))
  const presence = createPresence({
    self,
    send: sign => publish(PRESENCE, sign),
    onDeath: subscribers.notifyGap,
    log,
    intervalMs: signIntervalMs,
  })
  const messages = () => systemDatabase.acrossTenants('messages of the bus belong to processes, not to tenants')

  const stop = await db.listen(
    CHANNEL,
    payload => {
      // Sequential, so that later messages do not overtake a long one that is being fetched.
      receiving = receiving
        .then(() => receive(payload))
        .catch(error => {
          log.warn({ err: error }, 'a bus message could not be read')
          subscribers.notifyGap()
        })
    },
    () => subscribers.notifyGap(),
  )
  return {
    publish(channel, message) {
      subscribers.deliver(channel, message)
      publish(channel, message)
    },
    subscribe: subscribers.subscribe,
    notifyGap() {
      subscribers.notifyGap()
      sender.pushGap()
    },
    async close() {
      presence.close()
      await sender.close()
      await stop()
      await receiving
    },
  }
}
