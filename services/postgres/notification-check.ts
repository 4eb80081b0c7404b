/** Finds out whether a server delivers notifications. A pooler in transaction mode accepts LISTEN and loses them. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'
import pg from 'pg'
import { operatorErrors } from './operator-errors.ts'
import type { OwnerConnection } from './owner.ts'

const ATTEMPTS = 10
const ATTEMPT_MS = SECOND

/** @throws OperatorError `notifications_lost` */
export const assertNotifications = (owner: OwnerConnection, place: string): Promise<void> =>
  owner.run(listener => owner.run(notifier => assertDelivery(listener, notifier, place)))

async function assertDelivery(listener: pg.Client, notifier: pg.Client, place: string): Promise<void> {
  const channel = `larder_check_${randomBytes(8).toString('hex')}`
  const stopping = new AbortController()
  const received = once(listener, 'notification', { signal: stopping.signal }).then(
    () => true,
    () => false,
  )
  try {
    await listener.query(`listen ${channel}`)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await notifier.query('select pg_notify($1, $2)', [channel, ''])
      if (await Promise.race([received, pause(ATTEMPT_MS, false, { signal: stopping.signal })])) return
    }
  } catch (error) {
    // Some poolers reject LISTEN.
    if (error instanceof pg.DatabaseError) throw operatorErrors.notifications_lost({ place }, { cause: error })
    throw error
  } finally {
    stopping.abort()
  }
  throw operatorErrors.notifications_lost({ place })
}
