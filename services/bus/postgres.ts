/** The bus over LISTEN and NOTIFY: every process of one database. A message too long for a notification waits in a table. */
import { newId } from 'larder/kernel'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../postgres/open.ts'
import { type ClosableBus, createSubscribers } from './memory.ts'
import { createOnce, createSender } from './sender.ts'

const CHANNEL = 'larder_bus'
/** PostgreSQL takes less than 8000 bytes; the envelope needs some. */
const LONGEST = 7000
/** Long messages that everybody has had time to fetch. */
const KEPT = '1 minute'

type Envelope = { readonly from: string } & (
  | { readonly count: number; readonly channel: string; readonly message: unknown }
  | { readonly count: number; readonly channel: string; readonly id: string }
  | { readonly gap: true }
)

/** What a process publishes reaches its own subscribers at once, the others in the order in which it was published. */
export async function createPostgresBus(db: OpenDatabase, log: Logger): Promise<ClosableBus> {
  const subscribers = createSubscribers(log)
  const self = newId('node')
  let receiving: Promise<void> = Promise.resolve()

  async function send(whole: string): Promise<void> {
    if (Buffer.byteLength(whole) <= LONGEST) return db.notify(CHANNEL, whole)
    const { count, channel, message } = JSON.parse(whole) as { count: number; channel: string; message: unknown }
    const id = newId('bus')
    await messages().batch([
      ['insert into larder_bus_messages (id, body) values ($1, $2)', [id, JSON.stringify(message)]],
      [`delete from larder_bus_messages where created_at < now() - interval '${KEPT}'`],
    ])
    await db.notify(CHANNEL, JSON.stringify({ from: self, count, channel, id } satisfies Envelope))
  }

  async function receive(payload: string): Promise<void> {
    const envelope = JSON.parse(payload) as Envelope
    if (envelope.from === self) return
    if ('gap' in envelope) return subscribers.gap()
    if (!isNew(envelope.from, envelope.count)) return
    if ('message' in envelope) return subscribers.deliver(envelope.channel, envelope.message)
    const { rows } = await messages().query<{ body: string }>('select body from larder_bus_messages where id = $1', [
      envelope.id,
    ])
    if (rows[0]) subscribers.deliver(envelope.channel, JSON.parse(rows[0].body))
    else subscribers.gap()
  }
  const isNew = createOnce()
  let count = 0
  const gap = JSON.stringify({ from: self, gap: true } satisfies Envelope)
  const sender = createSender<string>({ send, gap, log })
  const messages = () => db.database.system('messages of the bus belong to processes, not to tenants')

  const stop = await db.listen(
    CHANNEL,
    payload => {
      // One after the other: a long message that is being fetched must not be overtaken.
      receiving = receiving
        .then(() => receive(payload))
        .catch(error => {
          log.warn({ err: error }, 'a message of the bus could not be read')
          subscribers.gap()
        })
    },
    () => subscribers.gap(),
  )
  return {
    publish(channel, message) {
      subscribers.deliver(channel, message)
      sender.push(JSON.stringify({ from: self, count: ++count, channel, message } satisfies Envelope))
    },
    subscribe: subscribers.subscribe,
    async close() {
      await sender.close()
      await stop()
      await receiving
    },
  }
}
