/** The measured process. Counts its round trips to PostgreSQL on request. Arguments: role, log file. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { pino } from 'pino'
import { checkFile, readSettings } from '../../bin/composition.ts'
import { createLogDestination } from '../../bin/log-destination.ts'
import { bootKernel, type Role } from '../../kernel/runtime/index.ts'
import type { BatchMessage } from '../../services/postgres/send-batch.ts'
import { type RouteInfo, routesOf } from './catalog.ts'

export interface ServerReady {
  readonly url: string
  readonly routes: readonly RouteInfo[]
}
/** The statements of each round trip, of one or several batches. */
export type RoundTrips = readonly (readonly string[])[]

const [role = 'web', logFile = '/dev/null'] = process.argv.slice(2)
const recipe = fileURLToPath(new URL('./recipe.yaml', import.meta.url))
const settings = readSettings(process.env)
const log = pino({ level: 'info' }, createLogDestination(logFile))
const checked = await checkFile(recipe, process.env)
const kernel = await bootKernel({ checked, settings, role: role as Role, log, env: process.env })
if (role === 'web') await kernel.serve()
if (role === 'worker') await kernel.work()
const ready: ServerReady =
  role === 'web'
    ? { url: kernel.ports.http.url, routes: routesOf(kernel.ports.http.endpoints()) }
    : { url: '', routes: [] }
process.send?.(ready)
process.on('disconnect', () => kernel.stop().then(() => process.exit(0)))

let trips: string[][] = []
/** The number of round trips that have completed. Batches that are sent together share one. */
let completedTrips = 0
const clients = new Set<Client>()
const count = (message: unknown): void => {
  const { client, statements, completed } = message as BatchMessage
  clients.add(client)
  const counted = trips
  const at = completedTrips
  const trip = counted[at] ?? []
  counted[at] = [...trip, ...statements.map(({ statement }) => statement.text)]
  const complete = () => {
    if (counted === trips) completedTrips = Math.max(completedTrips, at + 1)
  }
  completed.then(complete, complete)
}
subscribe('larder.postgres.batch', count)

process.on('message', async command => {
  await flushStatistics()
  if (command === 'report') process.send?.(trips)
  else process.send?.('ready')
  trips = []
  completedTrips = 0
  if (command === 'stop counting') unsubscribe('larder.postgres.batch', count)
})

/** PostgreSQL reports the statistics of a busy session only once a second. */
async function flushStatistics(): Promise<void> {
  const flush = (client: Client) =>
    client.query('select pg_stat_force_next_flush()').catch(() => clients.delete(client))
  await Promise.all([...clients].map(flush))
}
