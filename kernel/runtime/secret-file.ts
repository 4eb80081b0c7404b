/** The secret of an installation without LARDER_SECRET. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../contract/index.ts'

const MIN_LENGTH = 32
const MAX_READS = 50
const READ_PAUSE_MS = 20

/** Returns the accepted secrets, newest first. Creates `<dataDir>/secret` (32 bytes, mode 0600) if there is none. */
export async function loadSecrets({ secrets, dataDir }: Settings): Promise<readonly string[]> {
  return secrets.length > 0 ? secrets : [await keptSecret(dataDir)]
}

async function keptSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const file = join(dataDir, 'secret')
  try {
    // Exclusive: of several processes that start together, one creates the file and the others read it.
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(randomBytes(32).toString('base64url'))
    await handle.sync()
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (let reads = 0; ; reads++) {
    const secret = (await readFile(file, 'utf8')).trim()
    if (secret.length >= MIN_LENGTH) return secret
    if (reads === MAX_READS)
      throw new Error(
        `${file} contains no secret of ${MIN_LENGTH} characters. Restore it from a backup, or remove it together with the data beside it.`,
      )
    await new Promise(resolve => setTimeout(resolve, READ_PAUSE_MS))
  }
}
