/** One etcd, which keeps its data while it is stopped. */
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { type Cleanup, isOk, type Program, startProgram } from './programs.ts'

export interface Etcd {
  readonly url: URL
  start(): Promise<void>
  kill(): Promise<void>
}

export async function createEtcd(t: Cleanup, folder: string): Promise<Etcd> {
  const client = `http://127.0.0.1:${await freePort()}`
  const peer = `http://127.0.0.1:${await freePort()}`
  const options = {
    'data-dir': folder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  let program: Program | undefined
  const kill = async () => program?.end()
  t.teardown(kill)
  return {
    url: new URL(client),
    async start() {
      program = startProgram('etcd', args)
      await waitFor(() => isOk(`${client}/health`))
    },
    kill,
  }
}
