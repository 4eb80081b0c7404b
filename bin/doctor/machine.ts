/** Checks of this machine and of the servers that settings name. */

import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import { oldNode } from '../node-version.ts'
import { ANSWER_MS, type Finding, reason } from './finding.ts'

export function nodeVersion(version: string): Finding {
  const what = oldNode(version)
  return what ? { state: 'fail', what, fix: 'Install a newer version.' } : { state: 'ok', what: `Node ${version}` }
}

export async function dataFolder(folder: string): Promise<Finding> {
  let nearest = folder
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  try {
    if (!(await stat(nearest)).isDirectory()) throw new Error(`${nearest} is a file`)
    await access(nearest, constants.W_OK)
    return { state: 'ok', what: `the data folder ${folder} ${nearest === folder ? 'is writable' : 'can be created'}` }
  } catch (error) {
    return {
      state: 'fail',
      what: `the data folder ${folder} is not writable: ${reason(error)}`,
      fix: 'Grant this user write access, or set LARDER_DATA to another folder.',
    }
  }
}

export async function portFree(port: number, host: string, setting = 'PORT'): Promise<Finding> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    return { state: 'ok', what: `port ${port} on ${host} is free` }
  } catch (error) {
    return {
      state: 'warn',
      what: `port ${port} on ${host} is not available: ${reason(error)}`,
      fix: `Unless Larder is already running, stop the process that uses the port or set ${setting}.`,
    }
  } finally {
    probe.close()
  }
}

/** Checks that the server of a setting accepts connections. Returns nothing if the setting is not set. */
export async function server(
  name: string,
  url: string | undefined,
  ports: Readonly<Record<string, number>>,
): Promise<Finding[]> {
  if (!url) return []
  const { protocol, hostname, port } = new URL(url)
  // The driver resolves the hosts from a DNS record.
  if (protocol === 'mongodb+srv:') return [{ state: 'warn', what: `${name} uses a DNS seed list; not checked` }]
  const place = { host: hostname, port: Number(port) || (ports[protocol.slice(0, -1)] ?? 0) }
  const socket = connect({ ...place, timeout: ANSWER_MS })
  socket.on('timeout', () => socket.destroy(new Error('connection timed out')))
  try {
    await once(socket, 'connect')
    return [{ state: 'ok', what: `${name}: ${place.host}:${place.port} accepts connections` }]
  } catch (error) {
    const what = `${name}: ${place.host}:${place.port} is unreachable: ${reason(error)}`
    return [{ state: 'fail', what, fix: `Start the server or correct ${name}.` }]
  } finally {
    socket.destroy()
  }
}
