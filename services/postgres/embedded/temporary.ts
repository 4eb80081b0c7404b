/** An embedded server whose data is deleted when it stops. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Embedded, startEmbedded } from './embedded.ts'

const MAX_CONNECTIONS = 10

/** @throws OperatorError if the server cannot run. */
export async function startTemporaryServer(log: Logger): Promise<Pick<Embedded, 'url' | 'stop'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'larder-server-'))
  const remove = (folder: string) => rm(folder, { recursive: true, force: true })
  try {
    // The server of a root user runs as another user, who has to reach its data.
    await chmod(dataDir, 0o711)
    const { url, home, stop } = await startEmbedded({
      dataDir,
      log,
      durable: false,
      maxConnections: MAX_CONNECTIONS,
    })
    return {
      url,
      async stop() {
        await stop()
        await Promise.all([remove(home), remove(dataDir)])
      },
    }
  } catch (error) {
    await remove(dataDir)
    throw error
  }
}
