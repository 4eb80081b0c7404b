/** What a start needs of this machine and of the servers around it. */

import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import { SECOND } from '../../kernel/base/index.ts'

export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly what: string
  /** What to do. */
  readonly fix?: string
}

const PATIENCE = 10 * SECOND

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return { state: 'ok', what: `Node ${version}` }
  return { state: 'fail', what: `Node ${version} is too old`, fix: 'Install Node 20.19 or newer.' }
}

export async function dataFolder(folder: string): Promise<Finding> {
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  try {
    if (!(await stat(nearest)).isDirectory()) throw new Error(`${nearest} is a file`)
    await access(nearest, constants.W_OK)
    return { state: 'ok', what: `the data folder ${folder} ${nearest === folder ? 'is writable' : 'can be made'}` }
  } catch (error) {
    return {
      state: 'fail',
      what: `the data folder ${folder} cannot be written: ${reason(error)}`,
      fix: 'Give this user the right to it, or set LARDER_DATA to another folder.',
    }
  }
}

export async function portFree(port: number, host: string): Promise<Finding> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    return { state: 'ok', what: `port ${port} on ${host} is free` }
  } catch (error) {
    return {
      state: 'warn',
      what: `port ${port} on ${host} cannot be taken: ${reason(error)}`,
      fix: 'If that is not Larder itself, stop what uses it or set PORT.',
    }
  } finally {
    probe.close()
  }
}

/** Whether the server of a setting takes connections; nothing where the setting is not set. */
export async function server(
  name: string,
  url: string | undefined,
  ports: Readonly<Record<string, number>>,
): Promise<Finding[]> {
  if (!url) return []
  const { protocol, hostname, port } = new URL(url)
  // A record of DNS names the hosts: the driver looks it up.
  if (protocol === 'mongodb+srv:') return [{ state: 'warn', what: `${name} names its servers by DNS: not looked at` }]
  const place = { host: hostname, port: Number(port) || (ports[protocol.slice(0, -1)] ?? 0) }
  const socket = connect({ ...place, timeout: PATIENCE })
  socket.on('timeout', () => socket.destroy(new Error('it does not answer')))
  try {
    await once(socket, 'connect')
    return [{ state: 'ok', what: `${name}: ${place.host}:${place.port} takes connections` }]
  } catch (error) {
    const what = `${name}: ${place.host}:${place.port} cannot be reached: ${reason(error)}`
    return [{ state: 'fail', what, fix: `Start that server, or correct ${name}.` }]
  } finally {
    socket.destroy()
  }
}

/** A refused connection to a name with several addresses has an empty message and a code. */
export const reason = (error: unknown): string =>
  error instanceof Error ? error.message || String(Reflect.get(error, 'code') ?? error.name) : String(error)
